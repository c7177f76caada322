import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { coreGroup } from '../../support/core-group.ts';
import { rejection } from '../../support/rejection.ts';
import { type GitServer, gitServer } from '../../tools/core/git/git-server.ts';
import { person } from '../../tools/core/git/person.ts';
import { type Cloned, callBeside, cloned, pushedByOthers } from '../../tools/core/git/remotes.ts';

const { coreToolkit } = coreGroup('git');

/** The remote of a project, over HTTP from now on. */
async function served(options: Parameters<typeof gitServer>[1] = {}, user = ''): Promise<Cloned & GitServer> {
  const both = await cloned();
  const server = await gitServer(both.folder, options);
  await both.project.git('config', 'remote.origin.url', `${server.url.replace('//', `//${user}`)}/remote.git`);
  return { ...both, ...server };
}

const knowsLogin = (helper: string): string =>
  `[user]\n\tname = Grace Hopper\n\temail = grace@example.com\n[credential]\n\thelper = "${helper}"\n`;
const helper = '!f() { test \\"$1\\" = get && echo username=grace && echo password=hunter2; }; f';

describe('git tools over HTTP', () => {
  beforeEach(() => person());

  it('fetch what is new', async () => {
    const both = await served();
    const from = await both.project.git('rev-parse', 'main');
    const to = await pushedByOthers(both, { new: '' });
    expect(await callBeside('git_fetch', both)).to.deep.equal({ updated: [{ ref: 'refs/remotes/origin/main', from, to }] });
  });

  it('pull what is new', async () => {
    const both = await served();
    const hash = await pushedByOthers(both, { new: 'x\n' });
    expect(await callBeside('git_pull', both)).to.deep.equal({ hash, files: [{ path: 'new', added: 1, removed: 0 }] });
  });

  it('push what is new, with a name that is not ASCII', async () => {
    const both = await served();
    await both.project.git('branch', 'größe', 'side');
    const to = await both.project.git('rev-parse', 'side');
    expect(await callBeside('git_push', both, { branch: 'größe' })).to.deep.equal({ ref: 'refs/heads/größe', from: null, to });
    expect(await both.remote.git('rev-parse', 'refs/heads/größe')).to.equal(to);
  });

  const tools = ['git_fetch', 'git_pull', 'git_push'];
  for (const tool of tools) {
    it(`log in with what is stored for ${tool}, and say what to do where nothing is`, async () => {
      const both = await served({ login: 'grace:hunter2' });
      const { message } = await rejection(callBeside(tool, both), 'AUTH_FAILED');
      expect(message).to.include('"origin"').and.include('terminal').and.include('credential helper');
      await person(knowsLogin(helper));
      await callBeside(tool, both);
      expect(both.authorizations).to.include(`Basic ${Buffer.from('grace:hunter2').toString('base64')}`);
    });
  }

  it('say what to do about a login that is wrong, without showing it', async () => {
    const both = await served({ login: 'grace:other' });
    await person(knowsLogin(helper));
    const { message } = await rejection(callBeside('git_fetch', both), 'AUTH_FAILED');
    expect(message).to.include('terminal').and.not.include('hunter2');
  });

  it('show no password of the URL of a remote', async () => {
    const both = await served({ login: 'grace:other' }, 'grace:hunter2@');
    const { message } = await rejection(callBeside('git_fetch', both), 'AUTH_FAILED');
    expect(message).to.not.include('hunter2');
  });

  it('ask no program of the repository for a login', async () => {
    const both = await served({ login: 'grace:hunter2' });
    const own = '!f() { echo username=grace; echo password=hunter2; }; f';
    for (const key of ['credential.helper', `credential.${both.url}.helper`, `credential.${both.url}/remote.git.helper`]) {
      await both.project.git('config', '--add', key, own);
    }
    await rejection(callBeside('git_fetch', both), 'AUTH_FAILED');
    expect(both.authorizations.filter((sent) => sent !== undefined)).to.deep.equal([]);
    await person(knowsLogin(helper));
    await callBeside('git_fetch', both);
  });

  const answers: { status: number; code: ErrorCode; says: string }[] = [
    { status: 403, code: 'INSUFFICIENT_SCOPE', says: 'may not' },
    { status: 404, code: 'NOT_FOUND', says: 'Check the URL' },
    { status: 500, code: 'UPSTREAM_UNAVAILABLE', says: 'later' },
    { status: 429, code: 'UPSTREAM_UNAVAILABLE', says: 'later' },
  ];
  for (const { status, code, says } of answers) {
    for (const tool of tools) {
      it(`say what status ${status} means for ${tool}`, async () => {
        const both = await served({ answer: (response) => response.writeHead(status).end('<html>') });
        expect((await rejection(callBeside(tool, both), code)).message).to.include(says);
      });
    }
  }

  it('say that something is no repository', async () => {
    const both = await served({ answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>\n<body>\n') });
    expect((await rejection(callBeside('git_fetch', both), 'NOT_FOUND')).message).to.include('Check the URL');
  });

  it('say that nobody listens', async () => {
    const both = await cloned();
    await both.project.git('config', 'remote.origin.url', 'http://127.0.0.1:9/x.git');
    expect((await rejection(callBeside('git_fetch', both), 'UPSTREAM_UNAVAILABLE')).message).to.include('127.0.0.1');
  });

  it('do not follow a redirect to another protocol', async () => {
    const both = await served({ answer: (response) => response.writeHead(301, { location: 'ftp://127.0.0.1:9/x.git/info/refs' }).end() });
    const error = await callBeside('git_fetch', both).catch((thrown: unknown) => thrown as { code: string });
    expect(error).to.have.property('code').that.is.oneOf(['OUTBOUND_BLOCKED', 'UPSTREAM_UNAVAILABLE']);
  });

  it('tell what a hook of the remote says against a push', async () => {
    const both = await served();
    await both.remote.write({ 'hooks/pre-receive': '#!/bin/sh\necho "no größe today" >&2\nexit 1\n' });
    await chmod(path.join(both.remote.folder, 'hooks/pre-receive'), 0o755);
    const before = await both.remote.git('rev-parse', 'main');
    await both.project.commit('Mine', { mine: '' });
    const { message } = await rejection(callBeside('git_push', both), 'EXECUTION_FAILED');
    expect(message).to.include('no größe today').and.include('rules');
    expect(await both.remote.git('rev-parse', 'main')).to.equal(before);
  });

  const ways: { key: string; value: string }[] = [
    { key: 'http.proxy', value: 'http://127.0.0.1:9' },
    { key: 'http.http://127.0.0.1.proxy', value: 'http://127.0.0.1:9' },
    { key: 'http.sslVerify', value: 'false' },
    { key: 'http.cookieFile', value: '/etc/hostname' },
    { key: 'http.sslCert', value: '/etc/hostname' },
    { key: 'http.curloptResolve', value: 'example.com:443:127.0.0.1' },
    { key: 'http.followRedirects', value: 'true' },
    { key: 'remote.origin.proxy', value: 'http://127.0.0.1:9' },
    { key: 'remote.origin.vcs', value: 'ext' },
    { key: 'core.gitProxy', value: '/bin/false' },
  ];
  for (const { key, value } of ways) {
    it(`refuse ${key} of the repository itself`, async () => {
      const both = await served();
      await both.project.git('config', key, value);
      for (const tool of tools) {
        const { message } = await rejection(callBeside(tool, both), 'EXECUTION_FAILED');
        expect(message.toLowerCase()).to.include(key.toLowerCase()).and.include('nothing was transferred');
      }
      expect(both.authorizations).to.deep.equal([]);
    });
  }

  it('reach no address that is not public, unless it is allowed', async () => {
    const both = await served();
    const toolkit = await coreToolkit({ roots: [both.folder] });
    for (const url of [both.url, both.url.replace('127.0.0.1', 'localhost'), 'ssh://127.0.0.1/x', 'git@127.0.0.1:x', 'http://[::1]:9/x']) {
      await both.project.git('config', 'remote.origin.url', url.endsWith('x') ? url : `${url}/remote.git`);
      for (const tool of tools) {
        const error = await rejection(toolkit.execute(tool, { repository: 'project' }), 'OUTBOUND_BLOCKED');
        expect(error.message).to.include('allow');
      }
    }
    expect(both.authorizations).to.deep.equal([]);
  });

  it('follow no redirect to another host', async () => {
    const other = await served();
    const both = await served({
      answer: (response) => response.writeHead(301, { location: `${other.url}/remote.git/info/refs?service=git-upload-pack` }).end(),
    });
    await rejection(callBeside('git_fetch', both), 'UPSTREAM_UNAVAILABLE');
    expect(other.authorizations).to.deep.equal([]);
  });

  it('go the way that the person has set', async () => {
    const both = await served();
    await person('[user]\n\tname = G\n\temail = g@example.com\n[http]\n\tproxy = http://127.0.0.1:9\n');
    await rejection(callBeside('git_fetch', both), 'UPSTREAM_UNAVAILABLE');
    expect(both.authorizations).to.deep.equal([]);
  });
});
