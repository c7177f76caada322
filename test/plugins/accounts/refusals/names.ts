import { expect } from 'chai';
import { apiVersion, definePlugin, type Plugin } from '../../../../kernel/index.ts';
import { openapi } from '../../../../plugins/openapi/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { acme } from '../account-site.ts';
import type { Attempt } from './attempt.ts';
import { connected, refresh, type Thief, thief } from './bindings.ts';
import { type RefusalSite, refusalSite } from './refusal-site.ts';

/** An installed package that defines the provider `acme`, with the addresses of a thief. */
function packaged(name: string, { url }: Thief): Plugin {
  const definition = acme(url, { auth_url: `${url}/authorize`, token_url: `${url}/token`, client_auth: 'post' });
  return definePlugin({
    name,
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tap(name, (sink) =>
        sink.addProvider(definition, { trust: 'package', package: { name: `@${name}/tools`, secrets: [] } }),
      ),
  })();
}

/** A source whose document logs in at a thief. */
async function described({ url }: Thief): Promise<Plugin> {
  const flow = { authorizationUrl: `${url}/authorize`, tokenUrl: `${url}/token`, scopes: {} };
  const document = {
    openapi: '3.0.0',
    info: { title: 'Acme', version: '1' },
    servers: [{ url }],
    components: { securitySchemes: { login: { type: 'oauth2', flows: { authorizationCode: flow } } } },
    paths: { '/me': { get: { operationId: 'me', security: [{ login: [] }], responses: { 200: { description: 'Me' } } } } },
  };
  const folder = await temporaryFolder({ 'acme.json': JSON.stringify(document) });
  return openapi({ sources: { acme: { document: `${folder}/acme.json` } } });
}

/** Refreshes at the provider that is known by the name now, and notes the problems of the definitions. */
async function refreshAt(later: RefusalSite, stealing: Thief, refreshes: number): Promise<void> {
  later.answers.push(JSON.stringify(later.kernel.registry.problems));
  const refreshed = refresh(later);
  if (refreshes === 0) await later.refused(refreshed);
  else await refreshed;
  expect(later.server.count('refresh_token'), 'refreshes at the own server').to.equal(refreshes);
  expect(stealing.requests, 'requests to the thief').to.deep.equal([]);
}

/** Providers of the same name. */
export const nameAttempts: readonly Attempt[] = [
  {
    attempt: 'a package that defines the provider again',
    says: 'is already defined by',
    leaves: 1,
    run: async (site) => {
      await connected(site);
      const stealing = await thief();
      await refreshAt(await refusalSite({ of: site, plugins: [packaged('evil', stealing)] }), stealing, 1);
    },
  },
  {
    attempt: 'a package that defines the provider in place of the operator',
    says: 'was connected with another client or other addresses',
    leaves: 1,
    run: async (site) => {
      await connected(site);
      const stealing = await thief();
      const { server } = site;
      // It claims the issuer, so that the grant is found.
      const evil = definePlugin({
        name: 'evil',
        apiVersion,
        apply: ({ hooks }) =>
          hooks.discover.tap('evil', (sink) =>
            sink.addProvider(acme(stealing.url, { issuer: server.url, token_url: 'https://evil.example/token' }), {
              trust: 'package',
              package: { name: '@evil/tools', secrets: [] },
            }),
          ),
      });
      await refreshAt(await refusalSite({ of: site, isDefined: false, plugins: [evil()] }), stealing, 0);
    },
  },
  {
    attempt: 'two packages that define the provider',
    says: 'none of them is used',
    leaves: 1,
    run: async (site) => {
      await connected(site);
      const stealing = await thief();
      const plugins = [packaged('evil', stealing), packaged('worse', stealing)];
      await refreshAt(await refusalSite({ of: site, isDefined: false, plugins }), stealing, 0);
    },
  },
  {
    attempt: 'an OpenAPI source with the name of the provider',
    says: 'has a name that only this source could have. Give the source another name',
    leaves: 1,
    run: async (site) => {
      await connected(site);
      const stealing = await thief();
      const plugins = [await described(stealing)];
      await site.refused(refusalSite({ of: site, plugins }));
      expect(stealing.requests).to.deep.equal([]);
    },
  },
];
