#include "analyzer/walk/list.h"

#include "analyzer/walk/disk.h"
#include "analyzer/walk/workers.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <sys/stat.h>
#include <utility>

// Listing has to cost little beside a search of the whole tree. Each worker takes a folder from a common stack, reads
// its names, judges and sorts them, and puts its subfolders on the stack. A folder sorts as its name with a '/' behind
// it: then the folders' lists, put into each other, are in the order of the whole paths, and no sort over all of them
// is needed. No file is looked at, since the names come with their types.

namespace padlint {
namespace {

struct Folder;

struct Child {
  std::string path;               // relative to the root; of a folder with a '/' at the end
  std::unique_ptr<Folder> folder; // none for a file
};

struct Folder {
  std::string path;
  std::shared_ptr<const IgnoreScope> scope;
  std::vector<Child> children;
};

struct CloseStream {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

/// Folders, and the files that stand for one in linked worktrees and submodules.
bool of_version_control(std::string_view name) {
  return name == ".git" || name == ".hg" || name == ".svn" || name == ".jj";
}

unsigned char type_of(int folder, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN)
    return entry.d_type;
  struct stat status = {}; // some file systems keep no types in their folders
  if (::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return DT_UNKNOWN;
  return S_ISDIR(status.st_mode) ? DT_DIR : S_ISREG(status.st_mode) ? DT_REG : DT_UNKNOWN;
}

class Walk {
public:
  Walk(int root, std::string root_path) : root_(root), root_path_(std::move(root_path)) {}

  Listing run(unsigned jobs) {
    RootRules rules = rules_above(root_path_);
    prefix_ = std::move(rules.prefix);
    notices_ = std::move(rules.notices);
    Folder top{"", std::move(rules.scope), {}};
    waiting_.push_back(&top);
    run_workers(worker_count(jobs), [this](unsigned) { work(); });
    Listing listing;
    listing.entries.reserve(files_);
    flatten(top, listing.entries);
    std::ranges::sort(notices_, {}, &Notice::path);
    listing.notices = std::move(notices_);
    return listing;
  }

private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return !waiting_.empty() || working_ == 0; });
      if (waiting_.empty())
        return;
      Folder* folder = waiting_.back();
      waiting_.pop_back();
      ++working_;
      lock.unlock();
      std::vector<Notice> notices;
      read_folder(*folder, notices);
      lock.lock();
      --working_;
      std::ranges::move(notices, std::back_inserter(notices_));
      for (const Child& child : folder->children)
        if (child.folder)
          waiting_.push_back(child.folder.get());
        else
          ++files_;
      changed_.notify_all();
    }
  }

  /// Its children that count, sorted.
  void read_folder(Folder& folder, std::vector<Notice>& notices) {
    const std::string without_slash = folder.path.substr(0, folder.path.rfind('/'));
    Descriptor descriptor = open_folder(root_, without_slash.empty() ? "." : without_slash.c_str());
    const std::unique_ptr<DIR, CloseStream> stream(descriptor.get() < 0 ? nullptr : ::fdopendir(descriptor.get()));
    if (!stream) {
      notices.push_back(unreadable_folder(folder.path, errno));
      return;
    }
    const int number = descriptor.release();
    bool repository = false, ignores = false;
    errno = 0;
    while (const dirent* entry = ::readdir(stream.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..")
        continue;
      repository |= name == ".git";
      if (of_version_control(name))
        continue;
      const unsigned char type = type_of(number, *entry);
      if (type == DT_REG) {
        ignores |= name == ".gitignore";
        folder.children.push_back({folder.path + entry->d_name, nullptr});
      } else if (type == DT_DIR) {
        folder.children.push_back({folder.path + entry->d_name + "/", nullptr});
      }
      errno = 0;
    }
    if (errno != 0)
      notices.push_back(unreadable_folder(folder.path, errno));
    add_rules(folder, repository, ignores, notices);
    choose(folder);
  }

  void add_rules(Folder& folder, bool repository, bool ignores, std::vector<Notice>& notices) const {
    const std::size_t base = prefix_.size() + folder.path.size();
    // A repository inside: the rules of the one around it end here.
    if (repository && !folder.path.empty()) {
      const std::string exclude = exclude_file(root_path_ + "/" + folder.path);
      folder.scope = nullptr;
      if (::access(exclude.c_str(), F_OK) == 0)
        folder.scope = with_ignore_file(nullptr, base, AT_FDCWD, exclude, notices);
    }
    if (ignores)
      folder.scope = with_ignore_file(folder.scope, base, root_, folder.path + ".gitignore", notices);
  }

  /// Drops what is ignored, sorts the rest, and makes the folders among it.
  void choose(Folder& folder) const {
    std::string whole = prefix_ + folder.path;
    const std::size_t base = whole.size();
    std::erase_if(folder.children, [&](const Child& child) {
      const bool is_folder = child.path.ends_with('/');
      whole.replace(base, std::string::npos, child.path, folder.path.size(),
                    child.path.size() - folder.path.size() - (is_folder ? 1 : 0));
      return ignored(folder.scope.get(), whole, is_folder);
    });
    std::ranges::sort(folder.children, {}, &Child::path);
    for (Child& child : folder.children)
      if (child.path.ends_with('/'))
        child.folder = std::make_unique<Folder>(Folder{child.path, folder.scope, {}});
  }

  static void flatten(Folder& folder, std::vector<SourceEntry>& entries) {
    for (Child& child : folder.children) {
      if (child.folder)
        flatten(*child.folder, entries);
      else
        entries.push_back({std::move(child.path)});
      child.folder.reset();
    }
  }

  int root_;
  std::string root_path_;
  std::string prefix_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Folder*> waiting_;
  unsigned working_ = 0;
  std::size_t files_ = 0;
  std::vector<Notice> notices_;
};

} // namespace

Notice unreadable_folder(std::string_view path, int error) {
  return {NoticeKind::warning, "unreadable-folder", std::string(path), {}, std::strerror(error)};
}

Listing list_files(int root, const std::string& root_path, unsigned jobs) { return Walk(root, root_path).run(jobs); }

} // namespace padlint
