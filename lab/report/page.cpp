#include "report/page.hpp"

#include <fmt/core.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "io/markup.hpp"
#include "page_files.hpp"
#include "report/report.hpp"

namespace telescope::lab {
namespace {

// Replaces each {{name}} once: what is filled in is not looked at again, whatever it says.
std::string fill(std::string_view form, const std::map<std::string, std::string, std::less<>>& values) {
  std::string out;
  for (std::size_t open = form.find("{{"); open != std::string_view::npos; open = form.find("{{")) {
    const std::size_t close = form.find("}}", open);
    out += form.substr(0, open);
    out += values.at(std::string(form.substr(open + 2, close - open - 2)));
    form.remove_prefix(close + 2);
  }
  return out += form;
}

// The page's policy lets run what has this hash, and nothing else.
std::string hash_source(std::string_view text) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)> base64{};
  sodium_bin2base64(base64.data(), base64.size(), hash.data(), hash.size(), sodium_base64_VARIANT_ORIGINAL);
  return std::string("sha256-") + base64.data();
}

std::string paragraph(const char* kind, const char* lead, const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("<p class=\"{}\"><b>{}</b> {}</p>\n", kind, lead, escaped(text));
}

std::string command_cell(const std::string& command) {
  if (command.empty()) return "<td>-</td>";
  return fmt::format(
      R"(<td class="command"><code>{}</code> <button type="button" class="copy control">copy</button></td>)",
      escaped(command));
}

std::string key(const Styles& styles, const std::string& filter, const std::string& name) {
  return fmt::format(
      "<label class=\"key\"><input type=\"checkbox\" checked data-filter=\"{}\">{}<span>{}</span></label>\n",
      escaped(filter), swatch(styles.of(filter)), escaped(name));
}

std::string plain(const Row& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump(-1, ' ', false, Row::error_handler_t::replace);
  std::string out;
  for (const Row& each : value) out += (out.empty() ? "" : ", ") + plain(each);
  return out;
}

std::string manifest_of(const Row& manifest) {
  std::string out;
  for (const auto& [name, value] : manifest.items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(words), escaped(plain(value)));
  }
  return out;
}

std::string badge(Verdict verdict, const std::string& words) {
  return fmt::format(R"(<span class="verdict {}">{}</span>)", in_words(verdict), words);
}

std::string summary_of(const Report& report) {
  const auto panels = fmt::format("{} plot{}", report.panels.size(), report.panels.size() == 1 ? "" : "s");
  if (report.claims.empty()) return panels + ".";
  const auto count = [&](Verdict verdict) {
    return std::count_if(report.claims.begin(), report.claims.end(),
                         [&](const ClaimResult& claim) { return claim.verdict == verdict; });
  };
  const auto holds = count(Verdict::holds), differs = count(Verdict::differs), fails = count(Verdict::fails);
  return fmt::format("Of {} claim{} of the paper {} {} {}; {}.", report.claims.size(),
                     report.claims.size() == 1 ? "" : "s",
                     badge(Verdict::holds, fmt::format("{} hold{}", holds, holds == 1 ? "s" : "")),
                     badge(Verdict::differs, fmt::format("{} differ{} in degree", differs, differs == 1 ? "s" : "")),
                     badge(Verdict::fails, fmt::format("{} fail{}", fails, fails == 1 ? "s" : "")), panels);
}

std::string contents_of(const Report& report) {
  std::string out;
  if (!report.claims.empty()) out += "<li><a href=\"#claims\">Claims</a></li>\n";
  for (const Panel& panel : report.panels) {
    out += fmt::format("<li><a href=\"#panel-{}\">{}</a></li>\n", escaped(panel.id), escaped(panel.title));
  }
  return out;
}

std::string why(const std::string& text) {
  return text.empty() ? "" : fmt::format("<p class=\"why\">{}</p>", escaped(text));
}

std::string claims_of(const std::vector<ClaimResult>& claims) {
  if (claims.empty()) return "";
  std::string rows;
  for (const ClaimResult& claim : claims) {
    rows += fmt::format(
        "<tr id=\"claim-{0}\"><td>{1}</td><th scope=\"row\"><span>{2}</span> <small><code>{0}</code> {3}</small></th>"
        "<td>{4}</td><td>{5}{6}</td>{7}</tr>\n",
        escaped(claim.id), badge(claim.verdict, in_words(claim.verdict)), escaped(claim.statement),
        escaped(claim.section), escaped(claim.paper), escaped(claim.ours), why(claim.why), command_cell(claim.command));
  }
  return fill(page_file::kClaims, {{"rows", rows}});
}

std::string filters_of(const Styles& styles) {
  std::string keys;
  for (const Styles::Filter& filter : styles.filters()) keys += key(styles, filter.filter, filter.name);
  return keys.empty() ? "" : fill(page_file::kFilters, {{"keys", keys}});
}

std::string panel_of(const Panel& panel, const Styles& styles) {
  std::string keys, rows;
  for (const Panel::Series& series : panel.series) {
    keys += key(styles, series.filter, series.name);
    for (const Panel::Point& point : series.points) {
      rows += fmt::format(
          "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>"
          "<td class=\"number\">{}</td>{}</tr>\n",
          escaped(series.name), brief(point.x), brief(point.y), brief(point.ci), command_cell(point.command));
    }
  }
  return fill(page_file::kPanel, {{"id", escaped(panel.id)},
                                  {"title", escaped(panel.title)},
                                  {"figure", escaped(panel.figure)},
                                  {"claim", paragraph("claim", "The paper:", panel.claim)},
                                  {"finding", paragraph("finding", "This run:", panel.finding)},
                                  {"svg", to_svg(plot_of(panel, styles), Framing::inside)},
                                  {"keys", keys},
                                  {"x-label", escaped(panel.x.label)},
                                  {"y-label", escaped(panel.y.label)},
                                  {"rows", rows}});
}

}  // namespace

std::string page_of(const Report& report, const Styles& styles) {
  std::string panels;
  for (const Panel& panel : report.panels) panels += panel_of(panel, styles);
  return fill(page_file::kPage, {{"style-hash", hash_source(page_file::kStyle)},
                                 {"script-hash", hash_source(page_file::kScript)},
                                 {"style", page_file::kStyle},
                                 {"script", page_file::kScript},
                                 {"summary", summary_of(report)},
                                 {"manifest", manifest_of(report.manifest)},
                                 {"contents", contents_of(report)},
                                 {"claims", claims_of(report.claims)},
                                 {"filters", filters_of(styles)},
                                 {"panels", panels}});
}

}  // namespace telescope::lab
