import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Static, TSchema } from 'typebox';
import { type CollectionTag, parse, type YAMLSeq } from 'yaml';
import { checkValue } from '../../kernel/index.ts';
import {
  type Answer,
  type ErrorFixture,
  ErrorsSchema,
  ExamplesSchema,
  type ProviderFixture,
  ProviderSchema,
  type ReadmeFixture,
  ReadmeSchema,
  type Sent,
} from './fixture-shapes.ts';

/** One example of a tool: the requests that it makes, what the service answers, and what comes out. */
export interface ExampleFixture {
  readonly example: string;
  readonly sent: readonly Sent[];
  readonly answers: readonly Answer[];
  readonly output?: unknown;
}

const folder = fileURLToPath(new URL('../../fixtures/requests', import.meta.url));

/** The files that are not those of a tool. */
const ofProvider: ReadonlySet<string> = new Set(['provider.yaml', 'readme.yaml', 'errors.yaml']);

/** `!times [3, x]` is `xxx`, `!times [3, {}]` a list of three. */
const times: CollectionTag = {
  tag: '!times',
  collection: 'seq',
  resolve(node) {
    const [count, value] = (node as YAMLSeq).toJSON() as [number, unknown];
    return typeof value === 'string' ? value.repeat(count) : Array(count).fill(value);
  },
};

/** Reads text as data of this shape. Throws with every key that is unknown, missing or of another type. */
export function parseFixture<T extends TSchema>(file: string, text: string, schema: T): Static<T> {
  const value: unknown = parse(text, { customTags: [times] });
  const issues = checkValue(schema, value).map((issue) => `- ${issue.path} ${issue.message}`);
  if (issues.length > 0) throw new Error(`${file} is not as test/tools/fixture-shapes.ts has it:\n${issues.join('\n')}`);
  return value as Static<T>;
}

/** Read once a process, because most tests ask for them. */
const known = new Map<string, Promise<unknown>>();

async function read<T extends TSchema>(provider: string, file: string, schema: T): Promise<Static<T>> {
  const place = path.join(folder, provider, file);
  const reading =
    known.get(place) ?? readFile(place, 'utf8').then((text) => parseFixture(`fixtures/requests/${provider}/${file}`, text, schema));
  known.set(place, reading);
  // A test may change its own.
  return structuredClone((await reading) as Static<T>);
}

/** Names of the providers that have request fixtures. */
export async function fixtureProviders(): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, 'provider.yaml')))
    .map(({ name }) => name);
}

export function providerFixture(provider: string): Promise<ProviderFixture> {
  return read(provider, 'provider.yaml', ProviderSchema);
}

export function readmeFixture(provider: string): Promise<ReadmeFixture> {
  return read(provider, 'readme.yaml', ReadmeSchema);
}

export function errorFixtures(provider: string): Promise<readonly ErrorFixture[]> {
  return read(provider, 'errors.yaml', ErrorsSchema);
}

/** The examples by tool name. */
export async function exampleFixtures(provider: string): Promise<ReadonlyMap<string, readonly ExampleFixture[]>> {
  const files = (await readdir(path.join(folder, provider))).filter((file) => file.endsWith('.yaml') && !ofProvider.has(file)).sort();
  const entries = await Promise.all(
    files.map(async (file) => {
      const written = await read(provider, file, ExamplesSchema);
      const examples = written.map(({ sent, answer, ...rest }) => ({ ...rest, sent: [sent].flat(), answers: [answer].flat() }));
      return [path.basename(file, '.yaml'), examples] as const;
    }),
  );
  return new Map(entries);
}
