import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Grace Hopper',
  GIT_COMMITTER_EMAIL: 'grace@example.com',
};

/** A project of three commits with a remote beside its files, in the state that the examples of this tool speak of. */
export function makeRepository(folder: string, tool: string): void {
  const git = (...args: readonly string[]): void => void execFileSync('git', [...args], { cwd: folder, env: { ...environment, ...dates } });
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  // The same commits each time; two weeks must not have gone by.
  const day = new Date();
  day.setUTCHours(0, 0, 0, 0);
  const at = day.toISOString();
  const dates = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const commit = (message: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) write(name, text);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', `--message=${message}`);
  };
  for (const name of ['.git', 'remote.git']) rmSync(path.join(folder, name), { recursive: true, force: true });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Grace Hopper');
  git('config', 'user.email', 'grace@example.com');
  write('.git/info/exclude', 'remote.git\n');
  commit('First', { 'README.md': '# Title\n\nText.\n', 'package.json': '{ "version": "1.0.0" }\n' });
  git('tag', 'v1.0');
  git('branch', 'feature/old');
  commit('Second', { 'src/index.ts': 'parseConfig();\n' });
  git('tag', 'v2.0');
  commit('Third', { 'README.md': '# Title\n\nOther text.\n' });
  git('clone', '--quiet', '--bare', '.', 'remote.git');
  rmSync(path.join(folder, 'remote.git/hooks'), { recursive: true, force: true });
  git('remote', 'add', 'origin', path.join(folder, 'remote.git'));
  git('fetch', '--quiet', 'origin');
  git('branch', '--quiet', '--set-upstream-to=origin/main', 'main');
  if (tool === 'git_fetch') git('-C', 'remote.git', 'update-ref', '-d', 'refs/heads/feature/old');
  if (tool === 'git_pull') {
    commit('Fourth', { theirs: 'x\n' });
    git('push', '--quiet', 'origin', 'main');
    git('reset', '--quiet', '--hard', 'HEAD~1');
  }
  if (tool === 'git_push') git('branch', 'feature/search');
  if (tool === 'git_switch') git('switch', '--quiet', 'feature/old');
  if (['git_status', 'git_diff', 'git_commit', 'git_restore'].includes(tool)) {
    write('README.md', '# Changed\n');
    write('src/index.ts', 'parseConfig(1);\n');
    git('add', 'src');
  }
  if (tool === 'git_add') write('README.md', '');
}

/** From now on git in this process, and in what it starts, knows of no configuration of this machine or account. */
export function usePlainGit(): void {
  const home = mkdtempSync(path.join(os.tmpdir(), 'plain-git-'));
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(path.join(home, 'git'), `#!/bin/sh\nGIT_CONFIG_NOSYSTEM=1 exec '${git}' "$@"\n`);
  chmodSync(path.join(home, 'git'), 0o755);
  process.env['HOME'] = home;
  process.env['PATH'] = `${home}${path.delimiter}${process.env['PATH'] ?? ''}`;
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
}
