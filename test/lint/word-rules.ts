import path from 'node:path';
import type { SourceWords } from './source-words.ts';

/** The two lists of `plain-words.yaml`: a word that a reader stumbles over, and the plain one. */
export interface WordRules {
  /** First words of doc comments. */
  readonly firstWords: Readonly<Record<string, string>>;
  /** Whole identifiers, and file names without their endings. */
  readonly names: Readonly<Record<string, string>>;
}

/** Finds the words of a file that the rules replace. A sentence each: `file:line: …`. */
export function wordProblems(file: string, words: SourceWords, rules: WordRules): readonly string[] {
  const first = new RegExp(`^(${Object.keys(rules.firstWords).join('|')})\\b`);
  const comments = words.docComments.flatMap(({ text, line }) => {
    const word = first.exec(text)?.[1];
    return word === undefined ? [] : [`${file}:${line}: a doc comment begins with "${word}". Begin with ${rules.firstWords[word]}.`];
  });
  const names = words.names.flatMap(({ text, line }) => problemOf(`${file}:${line}: the name`, text, rules));
  return [...problemOf(`${file}: the file name`, path.basename(file).replace(/\..*$/, ''), rules), ...comments, ...new Set(names)];
}

function problemOf(subject: string, name: string, { names }: WordRules): readonly string[] {
  return Object.hasOwn(names, name) ? [`${subject} "${name}" has a plain word: ${names[name]}.`] : [];
}
