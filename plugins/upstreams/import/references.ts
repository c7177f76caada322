/** A part of a value: text, or the name of a value that a client fills in. */
export type ValuePart =
  | { readonly text: string }
  | { readonly variable: string; readonly byDefault?: string }
  | { readonly unknown: string };

/** `${input:x}`, `${env:X}`, `${X}` and `${X:-default}`, as clients write them. */
const reference = /\$\{([^${}]{1,200})\}/g;

/** `$X`, as Gemini CLI writes it too. */
const bareReference = /\$\{([^${}]{1,200})\}|\$([A-Za-z_]\w*)/g;

/** Returns the parts of a value in a client's file. `hasBare`: `$X` is a variable too. */
export function valueParts(text: string, hasBare: boolean): readonly ValuePart[] {
  const parts: ValuePart[] = [];
  let end = 0;
  for (const match of text.matchAll(hasBare ? bareReference : reference)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    parts.push(match[2] === undefined ? variableOf(match[1] ?? '') : { variable: match[2] });
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

function variableOf(inside: string): ValuePart {
  const [, , name, byDefault] = /^(env:|input:)?([A-Za-z_][\w.-]*?)(?::-(.*))?$/s.exec(inside) ?? [];
  const isKnown = name !== undefined && !['workspaceFolder', 'userHome', 'workspaceFolderBasename', 'pathSeparator'].includes(name);
  if (!isKnown) return { unknown: inside };
  return { variable: name, ...(byDefault === undefined ? {} : { byDefault }) };
}
