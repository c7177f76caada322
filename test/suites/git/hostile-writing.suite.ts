import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../support/core-group.ts';
import { isWholeRound } from '../../support/round.ts';
import { gitServer } from '../../tools/core/git/git-server.ts';
import { person } from '../../tools/core/git/person.ts';
import { type Cloned, cloned, pushedByOthers } from '../../tools/core/git/remotes.ts';
import { Repository } from '../../tools/core/git/repository.ts';

const { coreToolkit } = coreGroup('git');

interface Trap {
  readonly name: string;
  /** Prepares the repositories; `program` writes the marker. */
  readonly set: (both: Cloned, program: string) => Promise<unknown>;
  /** The plain git command that steps into the trap; without it there is no way to show that the trap works. */
  readonly plain?: readonly string[];
  /** Tools that refuse to work there. @default none */
  readonly refusing?: readonly string[];
  /** Only what comes to a remote could step into it. @default false */
  readonly isRemote?: boolean;
}

const hooks = [
  ...[
    'applypatch-msg',
    'commit-msg',
    'fsmonitor-watchman',
    'post-checkout',
    'post-commit',
    'post-index-change',
    'post-merge',
    'post-rewrite',
  ],
  ...['pre-auto-gc', 'pre-commit', 'pre-merge-commit', 'pre-push', 'prepare-commit-msg', 'reference-transaction', 'sendemail-validate'],
];

async function addHooks(folder: string, program: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const hook of hooks) {
    await writeFile(path.join(folder, hook), `#!/bin/sh\n${program}\n`);
    await chmod(path.join(folder, hook), 0o755);
  }
}

/** Sets these in the configuration of the repository. */
async function configure(repository: Repository, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(settings)) await repository.git('config', key, value);
}

async function addSubmodule({ project, remote }: Cloned): Promise<Repository> {
  await project.git('submodule', '--quiet', 'add', remote.folder, 'sub');
  await project.git('commit', '--quiet', '--message=Submodule');
  return Repository.at(path.join(project.folder, 'sub'));
}

/** Objects that a repository borrows, with a branch of their own. */
async function addAlternate(repository: Repository, gitFolder: string): Promise<void> {
  await repository.git('clone', '--quiet', '--bare', '.', path.join(repository.folder, gitFolder, 'lent.git'));
  await repository.write({ [path.join(gitFolder, 'objects/info/alternates')]: '../lent.git/objects\n' });
}

const network = ['git_fetch', 'git_pull', 'git_push'];
const content = ['git_add', 'git_commit', 'git_switch', 'git_restore', 'git_pull'];
const commitNothing = ['commit', '--allow-empty', '--message=x'];

const traps: readonly Trap[] = [
  {
    name: 'hooks of the repository',
    set: ({ project }, program) => addHooks(path.join(project.folder, '.git/hooks'), program),
    plain: commitNothing,
  },
  {
    name: 'hooks of core.hooksPath',
    set: async ({ project, folder }, program) => {
      await addHooks(folder, program);
      await configure(project, { 'core.hooksPath': folder });
    },
    plain: commitNothing,
  },
  {
    name: 'hooks of the configuration',
    set: async ({ project }, program) => {
      for (const event of hooks) await configure(project, { [`hook.${event}x.event`]: event, [`hook.${event}x.command`]: program });
    },
  },
  { name: 'core.fsmonitor', set: ({ project }, program) => configure(project, { 'core.fsmonitor': program }), plain: ['add', '.'] },
  {
    name: 'core.fsmonitor of a submodule',
    set: async (both, program) => {
      await configure(await addSubmodule(both), { 'core.fsmonitor': program });
      await configure(both.project, { 'submodule.recurse': 'true', 'status.submoduleSummary': 'true', 'diff.ignoreSubmodules': 'none' });
    },
    plain: ['add', '.'],
  },
  {
    name: 'the remote of a submodule',
    set: async (both, program) => {
      await configure(await addSubmodule(both), { 'remote.origin.url': `ext::${program}`, 'protocol.ext.allow': 'always' });
      await configure(both.project, {
        'submodule.recurse': 'true',
        'fetch.recurseSubmodules': 'true',
        'push.recurseSubmodules': 'on-demand',
      });
    },
    plain: ['fetch'],
  },
  {
    name: 'core.editor',
    set: ({ project }, program) => configure(project, { 'core.editor': program, 'sequence.editor': program, 'commit.verbose': 'true' }),
    plain: ['commit', '--allow-empty'],
  },
  {
    name: 'core.pager',
    set: ({ project }, program) => configure(project, { 'core.pager': program, 'pager.commit': program, 'pager.fetch': program }),
  },
  {
    name: 'gpg.program',
    set: ({ project }, program) => configure(project, { 'gpg.program': program, 'commit.gpgSign': 'true', 'push.gpgSign': 'if-asked' }),
    plain: commitNothing,
  },
  {
    name: 'gpg.ssh.program',
    set: ({ project }, program) =>
      configure(project, { 'gpg.format': 'ssh', 'gpg.ssh.program': program, 'user.signingKey': 'key::x', 'commit.gpgSign': 'true' }),
    plain: commitNothing,
  },
  {
    name: 'diff.external and a textconv driver',
    set: async ({ project }, program) => {
      await configure(project, { 'diff.external': program, 'diff.trap.textconv': program, 'diff.trap.command': program });
      await project.write({ '.git/info/attributes': '* diff=trap\n' });
    },
    plain: ['diff'],
  },
  {
    name: 'diff.external of core.attributesFile',
    set: async ({ project }, program) => {
      await configure(project, { 'core.attributesFile': 'attributes', 'diff.trap.command': program });
      await project.write({ attributes: '* diff=trap\n' });
    },
    plain: ['diff'],
  },
  ...['clean', 'smudge', 'process'].map((kind) => ({
    name: `filter.*.${kind}`,
    set: async ({ project }: Cloned, program: string): Promise<void> => {
      await configure(project, { [`filter.Tr=a p.${kind}`]: program, [`filter.trap.${kind}`]: program });
      await project.write({ '.git/info/attributes': '* filter=trap\n' });
    },
    plain: kind === 'smudge' ? ['checkout', '--force', 'side'] : ['add', '.'],
    refusing: content,
  })),
  {
    name: 'merge.*.driver',
    set: async (both, program) => {
      await configure(both.project, { 'merge.trap.driver': program, 'merge.default': 'trap' });
      await both.project.commit('Mine', { 'a.txt': 'mine\n' });
    },
    plain: ['pull', '--no-rebase'],
    refusing: ['git_pull'],
  },
  {
    name: 'branch.*.mergeOptions',
    set: ({ project }) => configure(project, { 'branch.main.mergeOptions': '--strategy=trap --edit --gpg-sign' }),
  },
  {
    name: 'core.sshCommand',
    set: ({ project }, program) => configure(project, { 'remote.origin.url': 'ssh://127.0.0.1:9/x', 'core.sshCommand': program }),
    plain: ['fetch'],
    refusing: network,
    isRemote: true,
  },
  {
    name: 'core.gitProxy',
    set: ({ project }, program) => configure(project, { 'remote.origin.url': 'git://127.0.0.1:9/x', 'core.gitProxy': program }),
    plain: ['fetch'],
    refusing: network,
    isRemote: true,
  },
  {
    name: 'remote.*.uploadpack',
    set: ({ project }, program) => configure(project, { 'remote.origin.uploadpack': program }),
    plain: ['fetch'],
    refusing: network,
    isRemote: true,
  },
  {
    name: 'remote.*.receivepack',
    set: ({ project }, program) => configure(project, { 'remote.origin.receivepack': program }),
    plain: ['push', 'origin', 'side'],
    refusing: network,
    isRemote: true,
  },
  {
    name: 'an ext:: remote',
    set: ({ project }, program) => configure(project, { 'remote.origin.url': `ext::${program}`, 'protocol.ext.allow': 'always' }),
    plain: ['fetch'],
    refusing: network,
    isRemote: true,
  },
  {
    name: 'url.*.insteadOf',
    set: ({ project, folder }, program) =>
      configure(project, { [`url.ext::${program} .insteadOf`]: `${folder}/`, 'protocol.ext.allow': 'always' }),
    plain: ['fetch'],
    refusing: network,
    isRemote: true,
  },
  {
    name: 'url.*.pushInsteadOf',
    set: ({ project, folder }, program) =>
      configure(project, { [`url.ext::${program} .pushInsteadOf`]: `${folder}/`, 'protocol.ext.allow': 'always' }),
    plain: ['push', 'origin', 'side'],
    refusing: ['git_push'],
    isRemote: true,
  },
  {
    name: 'core.askPass and credential.helper',
    set: async ({ project, folder }, program) => {
      const { url } = await gitServer(folder, { login: 'grace:hunter2' });
      await configure(project, {
        'remote.origin.url': `${url}/remote.git`,
        'core.askPass': program,
        [`credential.${url}.helper`]: program,
      });
    },
    plain: ['fetch'],
    refusing: network,
    isRemote: true,
  },
  {
    name: 'core.alternateRefsCommand',
    set: async ({ project }, program) => {
      await addAlternate(project, '.git');
      await configure(project, { 'core.alternateRefsCommand': program });
    },
    plain: ['fetch'],
    isRemote: true,
  },
  {
    name: 'core.alternateRefsCommand of the remote',
    set: async ({ remote }, program) => {
      await addAlternate(remote, '.');
      await configure(remote, { 'core.alternateRefsCommand': program });
    },
    plain: ['push', 'origin', 'side:new'],
    isRemote: true,
  },
  {
    name: 'core.fsmonitor and gc of the remote',
    set: ({ remote }, program) =>
      configure(remote, {
        'core.fsmonitor': program,
        'uploadpack.packObjectsHook': program,
        'gc.auto': '1',
        'gc.recentObjectsHook': program,
      }),
    isRemote: true,
  },
];

interface GitCall {
  readonly tool: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

const toRemote: readonly GitCall[] = [
  { tool: 'git_fetch' },
  { tool: 'git_pull', parameters: { fast_forward_only: false } },
  { tool: 'git_push', parameters: { branch: 'new' } },
];
const create: GitCall = { tool: 'git_create_branch', parameters: { name: 'new', start_point: 'origin/side' } };
const calls: readonly GitCall[] = [
  { tool: 'git_add', parameters: { paths: ['.'] } },
  { tool: 'git_commit', parameters: { message: 'Mine' } },
  create,
  { tool: 'git_switch', parameters: { branch: 'new' } },
  { tool: 'git_switch', parameters: { branch: 'main' } },
  { tool: 'git_restore', parameters: { paths: ['.'], source: 'HEAD~1' } },
  { tool: 'git_restore', parameters: { paths: ['.'] } },
  ...toRemote,
];

/** In a short round (`npm run test:suite git:whole` is a whole one) what comes to no remote is not tried where only that could step into a trap. */
const callsInto = ({ isRemote = false }: Trap): readonly GitCall[] => (isRemote && !isWholeRound ? [create, ...toRemote] : calls);

describe('git tools that write, in a hostile repository', () => {
  beforeEach(() => person());

  for (const trap of traps) {
    const { name, set, plain, refusing = [] } = trap;
    it(`run nothing of ${name}, and ${refusing.length === 0 ? 'work' : `refuse ${refusing.join(', ')}`}`, async () => {
      const both = await cloned();
      await pushedByOthers(both, { 'a.txt': 'theirs\n', theirs: '' });
      const marker = path.join(both.folder, 'marker');
      const program = path.join(both.folder, 'program');
      await writeFile(program, `#!/bin/sh\necho ran >> ${marker}\nexit 1\n`);
      await chmod(program, 0o755);
      await set(both, program);
      await both.project.write({ 'src/b.txt': 'changed' });

      const toolkit = await coreToolkit({ roots: [both.folder], allowHosts: ['127.0.0.1'] });
      const refused = new Set<string>();
      for (const { tool, parameters } of callsInto(trap)) {
        await toolkit
          .execute(tool, { repository: 'project', ...parameters })
          .catch((error: Error) => refused.add(refusing.includes(tool) ? tool : `${tool}: ${error.message}`));
      }
      expect(existsSync(marker), 'after the tools').to.equal(false);
      expect([...refused]).to.have.members(refusing);

      if (plain === undefined) return;
      await both.project.write({ 'src/b.txt': 'changed again' });
      await both.project.gitWith({ GIT_TERMINAL_PROMPT: '0', GIT_PROTOCOL_FROM_USER: '1' }, ...plain).catch(() => {});
      expect(existsSync(marker), 'after plain git').to.equal(true);
    });
  }
});
