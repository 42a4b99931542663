#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/experiments/data/temporary.h"
#include "tests/experiments/report/example_report.h"

using namespace coppice;

namespace {

bool installed(const std::string& program) {
  return std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) == 0;
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), size);
  return output;
}

/// Put at the start of the page: takes note of everything that goes wrong.
constexpr const char* listener = R"(<script>
window.problems = [];
addEventListener("error", (event) => problems.push(event.message));
addEventListener("securitypolicyviolation", (event) => problems.push("blocked " + event.blockedURI));
const complain = console.error;
console.error = (...texts) => problems.push(texts.join(" "));
window.alert = () => problems.push("alert");
</script>)";

/// Put at the end: uses the page as a reader would and writes down what happened.
constexpr const char* reading_script = R"(<script>
setTimeout(() => {
  const table = document.querySelector("#tables table");
  const names = () => [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[0].textContent);
  const outcome = { before: names() };
  const buttons = table.tHead.querySelectorAll("button");
  buttons[1].click();
  outcome.ascending = names();
  buttons[1].click();
  outcome.descending = names();
  outcome.sort = buttons[1].parentNode.getAttribute("aria-sort");
  buttons[0].click();
  outcome.by_name = names();
  const filter = document.querySelector("#tables input");
  filter.value = "DATA-3";
  filter.dispatchEvent(new Event("input"));
  outcome.filtered = names();
  const drawn = () => [...document.querySelectorAll("canvas")].map((canvas) => {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((value) => value !== 0);
  });
  outcome.drawn = drawn();
  const select = document.querySelector("#boxes select");
  select.value = "data-3";
  select.dispatchEvent(new Event("change"));
  outcome.title = document.querySelector("#boxes canvas").getAttribute("aria-label");
  outcome.numbers = document.querySelectorAll("#boxes details tbody tr").length;
  outcome.heat = document.querySelectorAll("#heat td").length;
  const ground = () => getComputedStyle(document.body).backgroundColor;
  outcome.light = ground();
  document.querySelector(".theme").click();
  outcome.dark = ground();
  outcome.redrawn = drawn();
  outcome.ready = document.documentElement.dataset.ready;
  outcome.problems = problems;
  const place = document.createElement("pre");
  place.id = "outcome";
  place.textContent = encodeURIComponent(JSON.stringify(outcome));
  document.body.append(place);
}, 200);
</script>)";

std::string decoded(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a browser shows the report, sorts its tables and draws its charts") {
  if (!installed("chromium")) {
    MESSAGE("skipped: chromium is not installed");
    return;
  }
  std::string page = report_html(example_report_results(), example_report_context());
  page.insert(page.find("<head>") + 6, listener);
  page.insert(page.rfind("</body>"), reading_script);
  const TemporaryFolder folder;
  const std::string file = folder.write("report.html", page).string();
  const std::string dom =
      output_of(fmt::format("timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic "
                            "--no-first-run --disable-sync "
                            "--disable-background-networking --disable-component-update "
                            "--user-data-dir={}/profile --window-size=1200,3000 "
                            "--virtual-time-budget=5000 --dump-dom file://{} 2> /dev/null",
                            folder.path().string(), file));
  const std::string opening = "<pre id=\"outcome\">";
  const std::size_t begin = dom.find(opening);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = dom.find("</pre>", begin);
  const auto outcome =
      nlohmann::json::parse(decoded(dom.substr(begin + opening.size(), end - begin - opening.size())));
  CHECK(outcome["problems"] == nlohmann::json::array());
  CHECK(outcome["ready"] == "yes");
  using Names = std::vector<std::string>;
  const Names by_score{
      "<script>alert(1)</script>", "data-1", "data-2", "data-3", "data-4", "data-5", "data-6"};
  CHECK(outcome["ascending"].get<Names>() == by_score);
  CHECK(outcome["descending"].get<Names>() == Names(by_score.rbegin(), by_score.rend()));
  CHECK(outcome["sort"] == "descending");
  CHECK(outcome["by_name"].get<Names>() == by_score);
  CHECK(outcome["filtered"].get<Names>() == Names{"data-3"});
  CHECK(outcome["drawn"] == nlohmann::json::array({true, true, true}));
  CHECK(outcome["redrawn"] == nlohmann::json::array({true, true, true}));
  CHECK(outcome["title"] == "lrap of all trials on data-3; the numbers are in the table below");
  CHECK(outcome["numbers"] == 5);
  CHECK(outcome["heat"] == 4);
  CHECK(outcome["light"] != outcome["dark"]);
}
