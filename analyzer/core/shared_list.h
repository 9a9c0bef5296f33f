#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace padlint {

/// A list whose copies share its elements until one of them is about to change. An expression stands in its own event,
/// in those of the calls around it and in what it is bound to: copies are as cheap as a number, and a tree of lists
/// holds each of its elements once. T may be incomplete, so that a T can hold a list of its own kind.
///
/// Reading is that of a const vector. `edit` gives the elements for a change, in a copy of its own where they are
/// shared. Threads may copy and read one list at a time; changes need the list for oneself, as with a vector.
template <class T>
class SharedList {
public:
  using value_type = T;

  SharedList() = default;
  SharedList(std::vector<T> elements) : shared_(elements.empty() ? nullptr : new Shared{1, std::move(elements)}) {}
  SharedList(std::initializer_list<T> elements) : SharedList(std::vector<T>(elements)) {}
  template <class Iterator>
  SharedList(Iterator first, Iterator last) : SharedList(std::vector<T>(first, last)) {}
  SharedList(const SharedList& other) noexcept : shared_(other.shared_) {
    if (shared_ != nullptr)
      shared_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SharedList(SharedList&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  SharedList& operator=(SharedList other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~SharedList() {
    if (shared_ != nullptr && shared_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete shared_;
  }

  [[nodiscard]] bool empty() const { return shared_ == nullptr || shared_->elements.empty(); }
  [[nodiscard]] std::size_t size() const { return shared_ == nullptr ? 0 : shared_->elements.size(); }
  [[nodiscard]] const T* data() const { return shared_ == nullptr ? nullptr : shared_->elements.data(); }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size(); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return shared_->elements[index]; }
  [[nodiscard]] const T& at(std::size_t index) const { return list().at(index); }
  [[nodiscard]] const T& front() const { return shared_->elements.front(); }
  [[nodiscard]] const T& back() const { return shared_->elements.back(); }
  [[nodiscard]] const std::vector<T>& list() const {
    static const std::vector<T> none;
    return shared_ == nullptr ? none : shared_->elements;
  }

  std::vector<T>& edit() {
    if (shared_ == nullptr)
      shared_ = new Shared{1, {}};
    else if (shared_->owners.load(std::memory_order_acquire) != 1)
      *this = SharedList(std::vector<T>(shared_->elements));
    return shared_->elements;
  }
  T& push_back(T element) { return edit().emplace_back(std::move(element)); }

private:
  struct Shared {
    std::atomic<std::uint32_t> owners;
    std::vector<T> elements;
  };
  Shared* shared_ = nullptr;
};

} // namespace padlint
