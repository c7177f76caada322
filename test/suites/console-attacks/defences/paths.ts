/** Defences against other spellings of paths, and of the Host. */
import type { Defence } from './defence.ts';

/** The mutant has a gate before a router that knows more spellings than the gate. */
export const pathsAsSent: Defence = {
  name: 'paths that are compared as they were sent',
  file: 'plugins/console/answer.ts',
  replace: [
    'if (session === undefined) return stranger;',
    String.raw`if (session === undefined && path.startsWith(paths.api)) return stranger;
    let plain = path;
    try {
      plain = decodeURIComponent(path);
    } catch {}
    plain = plain.replaceAll('\\', '/').replaceAll(/;[^/]*/g, '').replaceAll(/\/+/g, '/').replaceAll('\0', '');
    plain = new URL('http://localhost' + plain).pathname.replaceAll(/\.(?=\/|$)/g, '').toLowerCase();
    if (plain.startsWith(paths.api))
      return answerApi({ ...request, path: plain }, session ?? { name: 'operator', csrf: '', expiresAt: Infinity, key: '' }, api);
    if (session === undefined) return stranger;`,
  ],
};

export const oneAnswer: Defence = {
  name: 'one answer for strangers at every path',
  file: 'plugins/console/answer.ts',
  replace: [
    'if (session === undefined) return stranger;',
    'if (session === undefined) return path === paths.shell || /^\\/console\\/api\\/(overview|approvals|calls|tools)/.test(path) ? stranger : notFound();',
  ],
};

/** Assets are two texts in memory. The mutant reads files of their folder. */
export const assetsInMemory: Defence = {
  name: 'assets that are no files of a folder',
  file: 'plugins/console/assets.ts',
  replace: [
    'const found = forms.get(asked);',
    `let found = forms.get(asked);
      if (found === undefined && asked.startsWith(paths.assets)) {
        try {
          const file = path.join(folder, decodeURIComponent(asked.slice(paths.assets.length)));
          const response = { status: 200, body: process.getBuiltinModule('node:fs').readFileSync(file) };
          found = { plain: response, compressed: response };
        } catch {}
      }`,
  ],
};

export const hostCheck: Defence = {
  name: 'the check of the Host',
  file: 'plugins/shared/http/host-check.ts',
  replace: ['if (!this.#isHost(name))', "if (name === '*')"],
};

/** The name as it is: not its beginning, nor its end. */
export const wholeHost: Defence = {
  name: 'the comparison of the whole Host',
  file: 'plugins/shared/http/host-check.ts',
  replace: ['if (!this.#isHost(name))', 'if (!/localhost|127\\.0\\.0\\.1/.test(named))'],
};

export const absoluteTarget: Defence = {
  name: 'the host of an absolute target',
  file: 'plugins/shared/http/host-check.ts',
  replace: ["const named = absoluteTarget(url)?.host ?? host ?? '';", "const named = host ?? '';"],
};

export const oneHost: Defence = {
  name: 'the refusal of two Host headers',
  file: 'plugins/shared/http/host-check.ts',
  replace: ['return count > 1 ? twoHosts : undefined;', 'return count > 100 ? twoHosts : undefined;'],
};

export const noForwardedHost: Defence = {
  name: 'the distrust of X-Forwarded-Host',
  file: 'plugins/shared/http/host-check.ts',
  replace: [
    'check({ rawHeaders, url, headers: { host } }: IncomingMessage)',
    "check({ rawHeaders, url, headers: { host: sent, 'x-forwarded-host': host = sent } }: IncomingMessage)",
  ],
};

export const ownAddress: Defence = {
  name: 'a redirect address that no request decides',
  file: 'plugins/console/access/openid-login.ts',
  replace: [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of the console
    'const redirectUri = `${baseUrl()}${paths.callback}`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of the mutant
    "const redirectUri = `http://${request.headers['x-forwarded-host'] ?? request.headers.host}${paths.callback}`;",
  ],
};
