#include "analyzer/walk/workers.h"

#include <pthread.h>
#include <thread>
#include <vector>

namespace padlint {
namespace {

constexpr std::size_t stack_size = std::size_t{16} << 20;

struct Worker {
  const std::function<void(unsigned)>* work = nullptr;
  unsigned number = 0;
  pthread_t thread = {};
};

void* start(void* argument) {
  const auto* worker = static_cast<Worker*>(argument);
  (*worker->work)(worker->number);
  return nullptr;
}

} // namespace

unsigned worker_count(unsigned jobs) { return jobs != 0 ? jobs : std::max(1U, std::thread::hardware_concurrency()); }

void run_workers(unsigned count, const std::function<void(unsigned)>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_size);
  std::vector<Worker> workers(count);
  unsigned running = 0;
  while (running < count) {
    workers[running].work = &work;
    workers[running].number = running;
    if (pthread_create(&workers[running].thread, &attributes, start, &workers[running]) != 0)
      break;
    ++running;
  }
  pthread_attr_destroy(&attributes);
  if (running == 0)
    work(0); // not one thread to be had: this one has to do
  for (unsigned index = 0; index < running; ++index)
    pthread_join(workers[index].thread, nullptr);
}

} // namespace padlint
