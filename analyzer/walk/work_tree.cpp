#include "analyzer/walk/disk.h"
#include "analyzer/walk/list.h"
#include "analyzer/walk/source_tree.h"
#include "analyzer/walk/text.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <utility>
#include <vector>

namespace padlint {
namespace {

/// Keeps the folders above the last file open. So a list costs one step of path per file and folder instead of one for
/// each part of each path; and since every step is taken by itself, none leads through a link or out of the root.
class FolderOpener {
public:
  explicit FolderOpener(std::shared_ptr<const Descriptor> root) : root_(std::move(root)) {}

  std::expected<OpenFile, Notice> operator()(std::string_view path) {
    const std::string_view name = file_name(path);
    if (!enter(path.substr(0, path.size() - name.size())))
      return std::unexpected(unreadable_file(path, std::strerror(errno)));
    auto file = open_file(innermost(), name_.assign(name).c_str());
    if (!file)
      return std::unexpected(unreadable_file(path, std::move(file.error())));
    return std::move(*file);
  }

private:
  struct Level {
    std::size_t length = 0; // of its path in folder_, with its '/'
    Descriptor descriptor;
  };

  [[nodiscard]] int innermost() const { return levels_.empty() ? root_->get() : levels_.back().descriptor.get(); }

  /// Makes `folder`, whose path ends with a '/' or is empty, the innermost one. False with errno where that fails.
  bool enter(std::string_view folder) {
    if (folder == folder_)
      return true;
    while (!levels_.empty() && !folder.starts_with(std::string_view(folder_).substr(0, levels_.back().length)))
      levels_.pop_back();
    std::size_t at = levels_.empty() ? 0 : levels_.back().length;
    folder_.resize(at);
    while (at < folder.size()) {
      const std::size_t end = folder.find('/', at);
      name_ = folder.substr(at, end - at);
      errno = ENOENT;
      Descriptor step(
          name_ == ".." ? -1 : ::openat(innermost(), name_.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (step.get() < 0)
        return false;
      at = end + 1;
      levels_.push_back({at, std::move(step)});
      folder_ = folder.substr(0, at);
    }
    return true;
  }

  std::shared_ptr<const Descriptor> root_;
  std::string folder_; // the path of the innermost folder
  std::vector<Level> levels_;
  std::string name_; // with the zero behind it that the system wants
};

} // namespace

SourceTree work_tree(const std::string& root) {
  const auto folder = std::make_shared<const Descriptor>(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder->get() < 0) {
    const int error = errno;
    return {[root, error](unsigned) { return Listing{{}, {unreadable_folder(root, error)}}; },
            [root, error] {
              return Opener(
                  [root, error](std::string_view) { return std::unexpected(unreadable_folder(root, error)); });
            }};
  }
  return {[folder, root](unsigned jobs) { return list_files(folder->get(), root, jobs); },
          [folder] { return Opener(FolderOpener(folder)); }};
}

} // namespace padlint
