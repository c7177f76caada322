interface Drawing {
  /** Targets of symbolic links, by path. */
  readonly targets: ReadonlyMap<string, string | undefined>;
  /** Omitted paths; their folder gets one line with their number. */
  readonly cut: readonly string[];
}

/** Draws relative paths (folders end with `/`) with box-drawing characters below the name of their folder. */
export function drawTree(root: string, paths: readonly string[], { targets, cut }: Drawing): string {
  const shown = byFolder(paths);
  const missing = byFolder(cut);
  const lines = [`${printable(root)}/`];
  const draw = (folder: string, indent: string): void => {
    const children = shown.get(folder) ?? [];
    const left = missing.get(folder)?.length ?? 0;
    for (const [index, path] of children.entries()) {
      const isLast = index === children.length - 1 && left === 0;
      const target = targets.get(path);
      const name = printable(path.slice(folder.length));
      lines.push(`${indent}${isLast ? '└── ' : '├── '}${name}${target === undefined ? '' : ` -> ${printable(target)}`}`);
      if (path.endsWith('/')) draw(path, `${indent}${isLast ? '    ' : '│   '}`);
    }
    if (left > 0) lines.push(`${indent}└── … ${left} more`);
  };
  draw('', '');
  return lines.join('\n');
}

function byFolder(paths: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
    const members = folders.get(folder);
    if (members === undefined) folders.set(folder, [path]);
    else members.push(path);
  }
  return folders;
}

/** Escapes control characters, which would break the lines of the drawing. */
function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
