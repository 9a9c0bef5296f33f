#include "analyzer/facts/project_facts.h"
#include "analyzer/facts/session_start.h"
#include "analyzer/facts/solver.h"
#include "analyzer/facts/touches.h"
#include "analyzer/facts/transaction_flow.h"

#include <tuple>

// How the block of a library's session-level lock lies to the transactions of its session. The library releases the
// lock at the end of the block, whatever transaction is open there.

namespace padlint {
namespace {

class LibraryBlock {
public:
  LibraryBlock(const ProjectFacts& facts, const LibraryLock& lock, TransactionFlow::Session session)
      : project_(*facts.linked), lock_(lock), touches_(facts, *lock.routine, facts.handle(lock)),
        transactions_(transaction_flow(project_, *lock.routine, facts.handle(lock).identity, session)) {}

  /// The surest change that is not committed when the block ends, and of those the last. Only of a transaction that was
  /// begun on purpose: one that the driver began may be committed statement by statement after all.
  [[nodiscard]] std::optional<EarlyRelease> early_release() const {
    const auto transfer = [this](const Event& event, Mask mask) { return after(event, mask); };
    const auto passes = [](const Block&, const Edge& edge, Mask mask) {
      const bool failed = edge.kind == EdgeKind::error || edge.kind == EdgeKind::cancel;
      return failed ? undone(mask) : mask; // an error undoes the changes
    };
    const auto raises = [](const Event&, Mask mask) { return mask; };
    const Flow& flow = project_.routine(*lock_.routine).flow;
    bool early = false;
    EarlyRelease found{.at = lock_.taken};
    visit(
        flow, solve(flow, outside, transfer, passes, raises), transfer, passes, raises,
        [&](const Event& event, Mask mask) {
          early = early || (is_end(event, EventKind::leave) && (mask & changed) != 0);
          if ((mask & (held | changed)) == 0 || !changes(event))
            return;
          const Confidence confidence = touches_.of(event).confidence;
          if (found.work.empty() || std::tuple(found.confidence, found.work) < std::tuple(confidence, event.span)) {
            found.work = event.span;
            found.confidence = confidence;
          }
        },
        [](const Block&, const Edge&, const Event*, Mask) {});
    return early ? std::optional(found) : std::nullopt;
  }

private:
  static constexpr Mask outside = 1;
  static constexpr Mask held = 2;
  static constexpr Mask changed = 4; // held, and rows were changed that no commit has published

  static Mask undone(Mask mask) { return (mask & changed) != 0 ? (mask & ~changed) | held : mask; }

  [[nodiscard]] bool is_end(const Event& event, EventKind kind) const {
    return event.kind == kind && event.span == lock_.taken;
  }

  [[nodiscard]] bool changes(const Event& event) const {
    return touches_.of(event).kind == Touches::Touch::changes &&
           TransactionFlow::open_explicitly(transactions_.before(event));
  }

  [[nodiscard]] Mask after(const Event& event, Mask mask) const {
    if (is_end(event, EventKind::enter))
      return held;
    if (is_end(event, EventKind::leave))
      return outside;
    if ((mask & held) != 0 && changes(event))
      mask = (mask & ~held) | changed;
    return (mask & changed) != 0 && ends_transaction(event) ? undone(mask) : mask;
  }

  [[nodiscard]] bool ends_transaction(const Event& event) const {
    const std::vector<Effect>* effects = effects_of(project_, *lock_.routine, event.span, event.kind);
    if (effects == nullptr)
      return false;
    Mask mask = transactions_.before(event);
    for (const Effect& effect : *effects) {
      if (transactions_.ends(effect, mask))
        return true;
      mask = transactions_.after(effect, mask);
    }
    return false;
  }

  const LinkedProject& project_;
  const LibraryLock& lock_;
  Touches touches_;
  const TransactionFlow& transactions_;
};

} // namespace

std::optional<EarlyRelease> ProjectFacts::early_release(const LibraryLock& lock) const {
  const Handle& used = handle(lock);
  if (lock.level != Level::session || lock.off || !lock.routine || !lock.block || used.identity.empty() ||
      used.kind == HandleKind::pool)
    return std::nullopt;
  const auto session = session_start(*linked, *lock.routine, used);
  return session ? LibraryBlock(*this, lock, *session).early_release() : std::nullopt;
}

} // namespace padlint
