// In place of spdlog's mpmc_blocking_q.h: a queue with the interface that the added file uses.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace spdlog
{
namespace details
{
template <typename T> class mpmc_blocking_queue
{
  public:
    explicit mpmc_blocking_queue(size_t)
    {
    }
    void enqueue(T &&item)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        items_.push_back(std::move(item));
    }
    void enqueue_nowait(T &&item)
    {
        enqueue(std::move(item));
    }
    bool dequeue_for(T &item, std::chrono::milliseconds)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (items_.empty())
            return false;
        item = std::move(items_.front());
        items_.pop_front();
        return true;
    }
    size_t overrun_counter()
    {
        return 0;
    }
    size_t size()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        return items_.size();
    }

  private:
    std::mutex mutex_;
    std::deque<T> items_;
};
} // namespace details
} // namespace spdlog
