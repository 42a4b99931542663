# Shared by tools/coppice, tools/test and .ci/run: installs what is missing and builds. Sourced, not run.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

# install_packages PURPOSE…: apt-get install of those packages of tools/packages.txt that are not there yet. A stamp
# remembers the answer, so that a set-up machine is not asked again.
install_packages() {
  local stamp wanted missing=() package
  stamp="$project/build/.packages-$(printf '%s-' "$@")$(cksum < "$project/tools/packages.txt" | cut -d' ' -f1)"
  [ -e "$stamp" ] && return 0
  wanted=$(for purpose in "$@"; do sed -n "s/^$purpose //p" "$project/tools/packages.txt"; done)
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
      command -v sudo > /dev/null || { say "coppice needs these packages: ${missing[*]}. Install them as root with apt-get, then try again."; return 1; }
      sudo=(sudo)
    fi
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
           "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } > "$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      say "apt-get could not install ${missing[*]}; see above. Install them by hand, then try again."
      return 1
    fi
    rm -f "$log"
  fi
  mkdir -p "$project/build"
  : > "$stamp"
}

# build PRESET TARGET…: configures if needed and builds.
build() {
  local preset=$1 folder log
  shift
  folder="$project/build/$preset"
  log="$folder/build.log"
  mkdir -p "$folder"
  if [ ! -e "$folder/build.ninja" ]; then
    say "configuring ($preset)"
    (cd "$project" && cmake --preset "$preset") > "$log" 2>&1 || { cat "$log" >&2; say "cmake failed; see above."; return 1; }
  fi
  say "building ($preset)…"
  if [ -t 2 ]; then
    ninja -C "$folder" "$@" >&2 || { say "the build failed; see above."; return 1; }
  else
    ninja -C "$folder" "$@" > "$log" 2>&1 || { grep -E 'error|FAILED' -A5 "$log" >&2; say "the build failed; see $log."; return 1; }
  fi
}

# build_if_changed: the release binary, when a source or the commit is newer than the last build. One process builds, others wait.
build_if_changed() {
  local folder="$project/build/release" stamp="$project/build/release/.built" commit
  commit=$(git -C "$project" rev-parse HEAD 2> /dev/null || echo none)
  up_to_date() {
    [ -e "$stamp" ] && [ -x "$folder/coppice" ] && [ "$(cat "$stamp")" = "$commit" ] &&
      [ -z "$(find "$project"/{core,algorithms,experiments,tools,CMakeLists.txt,CMakePresets.json} -newer "$stamp" -print -quit)" ]
  }
  up_to_date && return 0
  mkdir -p "$folder"
  exec 9> "$folder/.building"
  flock 9
  if ! up_to_date; then
    install_packages build
    local started
    started=$(mktemp)
    build release coppice
    touch -r "$started" "$stamp"
    printf '%s' "$commit" > "$stamp"
    touch -r "$started" "$stamp"
    rm -f "$started"
  fi
  exec 9>&-
}
