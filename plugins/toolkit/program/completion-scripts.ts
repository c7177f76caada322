import { posixWord } from '../../shared/text/shell-word.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * Returns the script that completes words of `toolkit` in a shell. It calls `toolkit complete -- <words>`, and offers files when that prints nothing.
 * `program`: the command line that starts the program. Typed text is never evaluated.
 */
export function completionScript(shell: Shell, program: readonly string[]): string {
  return scripts[shell](program.map((word) => quoted(word, shell)).join(' '));
}

/** Quotes a word. In fish, a backslash escapes within single quotes too. */
function quoted(word: string, shell: Shell): string {
  return shell === 'fish' && /[\\']/.test(word) ? `'${word.replace(/[\\']/g, '\\$&')}'` : posixWord(word);
}

const scripts: Readonly<Record<Shell, (program: string) => string>> = {
  // Readline splits words at "=" and ":", so the part before them is typed already.
  bash: (program) => `# bash completion for toolkit: source this, for instance from ~/.bashrc
_toolkit_completion() {
  local line cursor="\${COMP_LINE:0:COMP_POINT}"
  local -a words replies
  read -ra words <<<"$cursor"
  if [[ "$cursor" == *[[:space:]] ]]; then words+=(''); fi
  local typed="\${words[\${#words[@]} - 1]}"
  local before="\${typed%"\${COMP_WORDS[COMP_CWORD]}"}"
  case "\${COMP_WORDS[COMP_CWORD]}" in = | :) before="$typed" ;; esac
  while IFS=$'\\t' read -r line _; do
    replies+=("\${line#"$before"}")
  done < <(${program} complete -- "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=("\${replies[@]}")
}
complete -o default -F _toolkit_completion toolkit
`,
  zsh: (program) => `#compdef toolkit
# zsh completion for toolkit: source this after compinit, or keep it as _toolkit in a folder of fpath
_toolkit() {
  local line
  local -a found
  while IFS= read -r line; do
    local value="\${line%%$'\\t'*}" description="\${line#*$'\\t'}"
    found+=("\${value//:/\\\\:}:\${description}")
  done < <(${program} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe -V toolkit found; else _files; fi
}
if [ "\${funcstack[1]}" = _toolkit ]; then _toolkit; else compdef _toolkit toolkit; fi
`,
  fish: (program) => `# fish completion for toolkit: keep this in ~/.config/fish/completions/toolkit.fish
function __toolkit_completion
  set -l words (commandline -opc) (commandline -ct)
  set -g __toolkit_found (${program} complete -- $words[2..-1] 2>/dev/null)
  test (count $__toolkit_found) -gt 0
end
complete -c toolkit -e
complete -c toolkit -f -n __toolkit_completion -a '$__toolkit_found'
`,
};
