import { link, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { apiVersion, definePlugin, messageOf, type Parameter, ToolkitError } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

export interface ControlFile {
  readonly title: string;
  /** Below the root. */
  readonly file: string;
  /** Text of the file; undefined when it does not exist. */
  readonly text?: string;
  /** Tried by every other name, with every tool. */
  readonly isExample?: true;
  /** Tools may not read it either. */
  readonly isSecret?: true;
}

const definition = `name: own_tool
description: A tool of the project, which gives a text and does nothing else at all.
execution: { type: function, code: ./own.mjs#own }
`;

/** One of each kind. The folder of tools has a name in which Unicode forms differ. */
export const controlFiles: readonly ControlFile[] = [
  { title: 'a definition', file: 'conf/wärk/own.yaml', text: definition, isExample: true },
  { title: 'a new definition', file: 'conf/wärk/evil.yaml' },
  { title: 'a handler', file: 'conf/wärk/own.mjs', text: 'export const own = () => "own";\n' },
  { title: 'a new handler in a new folder of tools', file: 'later/tools/own.mjs' },
  { title: 'a new definition below a folder that is not there', file: 'some/day/tools/evil.yaml' },
  { title: 'a skill', file: 'conf/skills/own/SKILL.md', text: '---\nname: own\ndescription: A skill of the project.\n---\nBe kind.\n' },
  { title: 'the policy', file: 'policy.yaml', text: 'rules: []\n', isExample: true },
  { title: 'a configuration', file: 'toolkit.config.ts', text: 'export default { plugins: [] };\n' },
  { title: 'a configuration that is not there', file: 'toolkit.config.json' },
  { title: 'secrets', file: '.env', text: 'TOKEN=geheim\n', isExample: true, isSecret: true },
  { title: 'secrets that are not there', file: 'sub/.env.local', isSecret: true },
  { title: 'a package', file: 'node_modules/@toolkit/evil/evil.yaml' },
  { title: 'a hook of git', file: '.git/hooks/pre-commit', isExample: true },
  { title: 'the configuration of git', file: '.git/config', text: '[core]\n' },
  { title: 'an object of git', file: `.git/objects/ab/${'c'.repeat(38)}`, text: 'geheim\n', isSecret: true },
  { title: 'a pack of a bare repository', file: `store.git/objects/pack/pack-${'d'.repeat(40)}.pack`, text: 'geheim\n', isSecret: true },
  { title: 'the token of a registry', file: '.npmrc', text: '//r.example/:_authToken=geheim\n', isSecret: true },
  { title: 'keys of a cloud', file: 'home/.aws/credentials', text: 'geheim\n', isSecret: true },
  { title: 'the audit trail', file: 'logs/audit.jsonl' },
  { title: 'a part of the audit trail', file: 'logs/audit.jsonl.1' },
  { title: 'the lock of the audit trail', file: 'logs/audit.jsonl.lock' },
  { title: 'a key', file: '.toolkit/certs/key.pem', text: 'geheim\n', isSecret: true },
  { title: 'what a start has worked out', file: 'kept/toolkit/definitions-x', text: 'kept\n', isSecret: true },
];

/** A project with all of them, and with other names for them: links in `links`, hard links in `hard`. */
export interface Project {
  readonly root: string;
  readonly toolkit: Toolkit;
  /** Calls a tool. Returns `refused` for control files, else the message of the result. */
  endOf(tool: string, parameters: Readonly<Record<string, unknown>>): Promise<string>;
  /** A new folder with these files, below the root; gives its name. */
  folder(files: Readonly<Record<string, string>>): Promise<string>;
  /** Returns the text of each control file, without those that the program itself writes. */
  state(): Promise<Readonly<Record<string, string>>>;
}

/** Names of a file that plugins name alone, in a folder that is open. */
const named = definePlugin({
  name: 'names-one',
  apiVersion,
  apply: ({ cwd, extend }) => {
    for (const file of ['api/pets/evil.bru', 'api/tools', 'made/bruno.json']) extend.controlFiles(path.join(cwd, file), { what: 'a test' });
  },
});

export async function openProject(root: string): Promise<Project> {
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  };
  for (const { file, text } of controlFiles) if (text !== undefined) await put(file, text);
  await put('sub/free.txt', 'frei\n');
  await put('api/pets/bruno.json', '{"name":"Pets"}');
  await put('api/spec.json', JSON.stringify({ openapi: '3.0.0', info: { title: 'tools', version: '1' }, paths: {} }));
  await mkdir(path.join(root, 'later'));
  for (const folder of ['links', 'hard']) await mkdir(path.join(root, folder));
  await symlink('..', path.join(root, 'links/root'));
  await symlink('../conf/wärk', path.join(root, 'links/tools'));
  for (const { file, text } of controlFiles)
    if (text !== undefined) await link(path.join(root, file), path.join(root, 'hard', hardName(file)));
  const providers = ['apiclient', 'data', 'github', 'gmail', 'hubspot', 'mailchimp', 'notion', 'postgres', 'slack', 'twilio'];
  const cache = process.env['XDG_CACHE_HOME'];
  process.env['XDG_CACHE_HOME'] = path.join(root, 'kept');
  const toolkit = await Toolkit.init({
    cwd: root,
    roots: ['.'],
    toolPaths: ['conf/wärk', 'later/tools', 'some/day/tools', ...providers.map((provider) => path.resolve('tools', provider))],
    skillPaths: ['conf/skills'],
    // What examples sign with: a path is looked at behind the names of secrets.
    namedSecrets: ['WEBHOOK_SECRET'],
    logger: memoryLogger(),
    plugins: [auditTrail({ path: 'logs/audit.jsonl' }), named(), secretsEnv({ env: { WEBHOOK_SECRET: 'whsec-of-examples' } })],
  });
  process.env['XDG_CACHE_HOME'] = cache;
  let folders = 0;
  return {
    root,
    toolkit,
    async endOf(tool, parameters) {
      try {
        const output = JSON.stringify(await toolkit.execute(tool, parameters));
        return saysRefused(output) ? 'refused' : `done: ${output}`;
      } catch (error) {
        return ToolkitError.is(error) && error.code === 'POLICY_DENIED' && saysRefused(error.message) ? 'refused' : messageOf(error);
      }
    },
    async folder(files) {
      folders += 1;
      const name = `free/${folders}`;
      await mkdir(path.join(root, name), { recursive: true });
      for (const [file, text] of Object.entries(files)) await put(path.join(name, file), text);
      return name;
    },
    async state() {
      const stable = controlFiles.filter(({ file }) => !/audit\.jsonl(\.lock)?$/.test(file));
      return Object.fromEntries(await Promise.all(stable.map(async ({ file }) => [file, await textOf(path.join(root, file))])));
    },
  };
}

/** In an error, or in the output of a tool that answers its errors. */
function saysRefused(text: string): boolean {
  return /(is a control file|touch control files).* in "allowControlFiles" of confine-paths/.test(text.replaceAll('\\"', '"'));
}

async function textOf(file: string): Promise<string> {
  const stats = await lstat(file).catch(() => undefined);
  return stats === undefined ? 'missing' : stats.isFile() ? readFile(file, 'utf8') : 'no file';
}

export function hardName(file: string): string {
  return file.replaceAll('/', '-');
}

/** Where a tool takes a path: how to put one there, and what it does with it. */
export interface PathParameter {
  readonly name: string;
  readonly access: 'read' | 'write';
  readonly isList: boolean;
  /** The member of the objects of a list that holds it. */
  readonly member?: string;
  /** Plugins whose control files it may have. */
  readonly exempt: readonly string[];
  /** The parameter whose value it stands for (`from: path`): a call gives one of the two. */
  readonly insteadOf?: string;
}

/** The parameters of a tool that hold paths and that callers may give. Throws for one that is nested in another way than a list, or a list of objects. */
export function pathParametersOf(parameters: Readonly<Record<string, Parameter>>): readonly PathParameter[] {
  return Object.entries(parameters).flatMap(([name, parameter]): PathParameter[] => {
    const [member] = Object.entries(parameter.items?.properties ?? {}).filter(([, { path: held }]) => held !== undefined);
    const access = parameter.path ?? parameter.items?.path ?? member?.[1].path;
    if (access === undefined) {
      if (/"path":"(read|write)"/.test(JSON.stringify(parameter)))
        throw new Error(`${name} holds a path at a depth that the table does not know`);
      return [];
    }
    if (parameter.fixed === true || access === 'roots' || access === 'write_roots') return [];
    const isList = parameter.path === undefined || parameter.type === 'array';
    const { control_files: exempt = [], reads: insteadOf } = parameter;
    return [
      {
        name,
        access,
        isList,
        exempt,
        ...(insteadOf === undefined ? {} : { insteadOf }),
        ...(member === undefined ? {} : { member: member[0] }),
      },
    ];
  });
}
