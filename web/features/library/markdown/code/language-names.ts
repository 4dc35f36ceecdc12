/** The languages that are coloured; each line's further words are other names of its first. */
const languages = new Map(
  `bash sh zsh
  c h
  clojure clj
  cmake
  cpp c++ cc cxx hpp
  csharp c# cs
  css
  dart
  diff patch
  dockerfile docker
  elixir ex exs
  elm
  erlang erl
  fsharp f# fs
  go golang
  graphql gql
  groovy gradle
  haskell hs
  http
  ini toml env dotenv conf properties
  java
  javascript js jsx mjs cjs node
  json json5 jsonc ndjson jsonl
  julia jl
  kotlin kt kts
  latex tex
  less
  lua
  makefile make mk
  markdown md mdx
  matlab
  nginx
  nix
  objectivec objc objective-c mm
  ocaml ml
  perl pl
  php
  powershell ps1 pwsh
  protobuf proto
  python py python3 pyi
  r
  ruby rb
  rust rs
  scala
  scss sass
  shell console terminal
  sql postgres postgresql psql mysql sqlite plsql
  swift
  typescript ts tsx mts cts
  vim viml
  wasm wat
  xml html svg vue svelte astro xhtml rss plist
  yaml yml`
    .split("\n")
    .flatMap((line) => {
      const names = line.trim().split(" ");
      return names.map((name): [string, string | undefined] => [name, names[0]]);
    }),
);

/** The name under which a fence's language is coloured; undefined where it is not known. */
export function languageOf(name: string): string | undefined {
  return languages.get(name.toLowerCase());
}
