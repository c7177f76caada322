import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createHooks } from '../../../../kernel/hooks.ts';
import { hookNames, ToolkitError } from '../../../../kernel/index.ts';
import { code, page, prose, table } from '../markdown.ts';
import { type Declaration, type DeclarationMember, headComment, sourceComments } from '../source-comments.ts';

/** The hooks, then the nouns of their signatures. */
const sources = [
  'kernel/hooks.ts',
  'kernel/approval/approval-request.ts',
  'kernel/call/context/context.ts',
  'kernel/call/draft.ts',
  'kernel/call/end/end.ts',
  'kernel/call/output.ts',
  'kernel/call/progress.ts',
  'kernel/call/context/tool-view.ts',
  'kernel/call/verdict.ts',
  'kernel/definition/registry/discover-sink.ts',
  'kernel/secrets/secret-sink.ts',
  'kernel/serve/serve-sink.ts',
  'kernel/taps/hook-context.ts',
  'kernel/taps/tap-effect.ts',
];

/** Returns the page of the hooks, with the arguments and results of their taps, from the kernel's doc comments. */
export async function hooksPage(root: string): Promise<string> {
  const texts = await Promise.all(sources.map((file) => readFile(path.join(root, file), 'utf8')));
  const declared = texts.flatMap((text, index) => sourceComments(text, sources[index] ?? ''));
  const signatures = declared.find(({ name }) => name === 'HookSignatures')?.members ?? [];
  const interfaces = declared.filter(({ name, members }) => members.length > 0 && name !== 'HookSignatures');
  return page(
    '# Hooks',
    headComment(texts[0] ?? ''),
    ...hookNames.map((name) => {
      const signature = signatures.find((member) => member.name === name);
      if (signature === undefined || signature.comment === '')
        throw new ToolkitError('PLUGIN_INVALID', `The hook ${name} has no doc comment in ${sources[0]}. Write one.`);
      return hookSection(signature);
    }),
    '## Arguments and results of taps',
    ...mentionedInterfaces(signatures, interfaces).map(interfaceSection),
  );
}

function hookSection({ name, comment, parameters = [], type }: DeclarationMember): string {
  const gets = parameters.map((parameter) => `${code(parameter.name)}: ${code(parameter.type)}`).join(', ');
  const gives = type === 'void' ? 'nothing' : code(type);
  const rows = [
    ['arguments', gets],
    ['returns', gives],
    ['tapable class', classOf(name)],
  ];
  return page(`### ${code(name)}`, prose(comment), table(['', ''], rows));
}

function classOf(name: string): string {
  const hook = createHooks()[name as keyof ReturnType<typeof createHooks>];
  if (!('for' in hook)) return code(hook.constructor.name);
  return `${code('HookMap')} of ${code(hook.for('*').constructor.name)}`;
}

/** Returns the interfaces that these members name, and those that they name in turn. */
function mentionedInterfaces(
  members: readonly DeclarationMember[],
  all: readonly Declaration[],
  known: readonly Declaration[] = [],
): readonly Declaration[] {
  const words = new Set(
    members.flatMap(({ type, parameters = [] }) => [type, ...parameters.map((one) => one.type)].join(' ').match(/\w+/g) ?? []),
  );
  const found = all.filter((one) => words.has(one.name) && !known.includes(one));
  if (found.length === 0) return known;
  return mentionedInterfaces(
    found.flatMap((one) => one.members),
    all,
    [...known, ...found],
  );
}

function interfaceSection({ name, comment, members }: Declaration): string {
  const rows = members.map((member) => [code(member.name), code(typeOf(member)), prose(member.comment)]);
  return page(`### ${code(name)}`, prose(comment), table(['member', 'type', 'meaning'], rows));
}

function typeOf({ type, parameters }: DeclarationMember): string {
  if (parameters === undefined) return type;
  return `(${parameters.map((parameter) => `${parameter.name}: ${parameter.type}`).join(', ')}) => ${type}`;
}
