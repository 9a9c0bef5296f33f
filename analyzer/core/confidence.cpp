#include "analyzer/core/confidence.h"

namespace padlint {

std::string_view to_text(Confidence confidence) {
  switch (confidence) {
  case Confidence::possible: return "possible";
  case Confidence::likely: return "likely";
  case Confidence::certain: return "certain";
  }
  return "";
}

std::string_view to_text(Answer answer) {
  switch (answer) {
  case Answer::no: return "no";
  case Answer::yes: return "yes";
  case Answer::unknown: return "unknown";
  }
  return "";
}

} // namespace padlint
