#include "host/run/progress.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "host/text/text.hpp"

namespace scree {
namespace {

constexpr double live_interval = 0.2, plain_interval = 5;  // [s]

double fraction_done(const RunProgress& progress) {
  if (progress.last_step == 0) {
    const double span = progress.end_time - progress.first_time;
    return span > 0 ? std::clamp((progress.time - progress.first_time) / span, 0.0, 1.0) : 1.0;
  }
  const auto all = progress.last_step - progress.first_step;
  return all == 0 ? 1.0 : static_cast<double>(progress.step - progress.first_step) / static_cast<double>(all);
}

std::string percent_text(double fraction) {
  char text[16];
  // Rounded down, so that 100 % means that all is done.
  std::snprintf(text, sizeof text, "%5.1f %%", std::floor(fraction * 1000) / 10);
  return text;
}

std::string time_left_text(const RunProgress& progress) {
  const double done = fraction_done(progress);
  if (done <= 0) { return "?"; }
  return duration_text(progress.wall_seconds * (1 - done) / done);
}

std::string speed_text(const RunProgress& progress) {
  if (progress.stepping_seconds <= 0) { return "?"; }
  return rate_text(progress.particle_steps / progress.stepping_seconds);
}

}  // namespace

std::string duration_text(double seconds) {
  char text[48];
  const double whole = std::round(std::max(seconds, 0.0));
  const double minutes = std::floor(whole / 60), hours = std::floor(whole / 3600), days = std::floor(whole / 86400);
  if (!(whole < 1e10)) { return "very long"; }
  if (seconds < 10) {
    std::snprintf(text, sizeof text, "%.1f s", std::max(seconds, 0.0));
  } else if (whole < 60) {
    std::snprintf(text, sizeof text, "%.0f s", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%.0f min %02.0f s", minutes, whole - 60 * minutes);
  } else if (whole < 86400) {
    std::snprintf(text, sizeof text, "%.0f h %02.0f min", hours, minutes - 60 * hours);
  } else {
    std::snprintf(text, sizeof text, "%.0f d %.0f h", days, hours - 24 * days);
  }
  return text;
}

std::string rate_text(double per_second) {
  constexpr std::array units{"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (per_second >= 999.5 && unit + 1 < units.size()) {
    per_second /= 1000;
    ++unit;
  }
  return short_number_text(per_second, 3) + units[unit];
}

std::string progress_text(const RunProgress& progress) {
  return percent_text(fraction_done(progress)) + "  step " + std::to_string(progress.step) +
         (progress.last_step > 0 ? "/" + std::to_string(progress.last_step) : "") + "  t " +
         short_number_text(progress.time) + " s  wall " + duration_text(progress.wall_seconds) + "  left " +
         time_left_text(progress) + "  " + speed_text(progress) + " particle-steps/s  " +
         std::to_string(progress.contacts) + " contacts";
}

std::string progress_bar_text(const RunProgress& progress, std::size_t width) {
  constexpr std::size_t shortest_bar = 5, longest_bar = 30;
  const double done = fraction_done(progress);
  std::string text = percent_text(done) + "  " + short_number_text(progress.time) + "/" +
                     short_number_text(progress.end_time) + " s  " + duration_text(progress.wall_seconds) + ", " +
                     time_left_text(progress) + " left  " + speed_text(progress) + " p-steps/s  " +
                     std::to_string(progress.contacts) + " contacts";
  if (width >= text.size() + shortest_bar + 3) {
    const std::size_t length = std::min(longest_bar, width - text.size() - 3);
    const auto filled = static_cast<std::size_t>(done * static_cast<double>(length));
    text = "[" + std::string(filled, '#') + std::string(length - filled, '.') + "] " + text;
  }
  text.resize(std::min(text.size(), width));
  return text;
}

void ProgressDisplay::show(const RunProgress& progress) {
  const double now = progress.wall_seconds;
  if (now - last_plain_ >= plain_interval) {
    last_plain_ = now;
    const auto text = progress_text(progress);
    width_ > 0 ? log_.file_line(text) : log_.line(text);
  }
  if (width_ == 0 || log_.quiet() || (last_live_ >= 0 && now - last_live_ < live_interval)) { return; }
  last_live_ = now;
  // One column stays free, because some terminals wrap a full line.
  log_.show('\r' + progress_bar_text(progress, width_ - 1) + "\x1b[K");
  line_open_ = true;
}

void ProgressDisplay::finish() {
  if (line_open_) { log_.show("\r\x1b[K"); }
  line_open_ = false;
}

}  // namespace scree
