/** One instruction of a Dockerfile, with its continued lines joined. */
export interface Instruction {
  readonly line: number;
  readonly keyword: string;
  readonly rest: string;
}

const known = ['ARG', 'COPY', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'FROM', 'HEALTHCHECK', 'RUN', 'USER', 'WORKDIR'];

/** The instructions of a Dockerfile, and nothing that is not understood: no parser directive, here-document or other keyword. */
export function readDockerfile(text: string): readonly Instruction[] {
  const instructions: Instruction[] = [];
  let open = '';
  for (const [index, written] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(written)) {
      if (/^#\s*(syntax|escape|check)\s*=/.test(written)) throw refusal(index, written);
      continue;
    }
    open += written;
    if (open.endsWith('\\')) {
      open = open.slice(0, -1);
      continue;
    }
    const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.+)$/.exec(open) ?? [];
    if (!known.includes(keyword) || rest.includes('<<')) throw refusal(index, open);
    instructions.push({ line: index + 1, keyword, rest });
    open = '';
  }
  if (open !== '') throw new Error(`The last instruction of the Dockerfile has no end: ${open}`);
  return instructions;
}

/** `--name=value` in front, and the words behind. */
export function withFlags({ rest }: Instruction): { readonly flags: Readonly<Record<string, string>>; readonly words: string } {
  const [, flags = '', words = ''] = /^((?:--\S+\s+)*)(.*)$/.exec(rest) ?? [];
  return {
    flags: Object.fromEntries([...flags.matchAll(/--([^=\s]+)=?(\S*)/g)].map(([, name = '', value = '']) => [name, value])),
    words,
  };
}

/** The exec form, a list in JSON: there is no shell in between. */
export function execForm(words: string): readonly string[] {
  const list: unknown = JSON.parse(words);
  if (Array.isArray(list) && list.every((word): word is string => typeof word === 'string')) return list;
  throw new Error(`Expected a command in exec form, received ${words}`);
}

function refusal(index: number, written: string): Error {
  return new Error(`Line ${index + 1} of the Dockerfile is more than this reader knows: ${written.slice(0, 100)}`);
}
