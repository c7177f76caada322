import { didYouMean, type Kernel, revealSecret, ToolkitError } from '../../../../../kernel/index.ts';
import { providerOf } from '../../../../shared/exposure/provider-of.ts';
import type { TrustedIssuer } from './access-tokens.ts';
import type { AuthorizationSettings } from './authorization.ts';
import { checkUrl } from './issuer-url.ts';
import type { AuthorizationOptions, IssuerOptions } from './options.ts';

interface AuthorizationInput extends AuthorizationOptions {
  /** The names of plain tokens. */
  readonly tokens: readonly { readonly name: string }[];
}

/** Returns the settings, or undefined without issuers. Throws CONFIG_INVALID for options that would leave the server open. */
export async function authorizationSettings(input: AuthorizationInput, kernel: Kernel): Promise<AuthorizationSettings | undefined> {
  const { issuers = [], resource, scopes, tokens } = input;
  if (issuers.length === 0) {
    // The links of pages begin with the origin of "resource".
    const hasPages = kernel.httpRoutes.routes.length > 0;
    if (hasPages) checkResource(resource);
    const idle = Object.entries({ resource: hasPages ? undefined : resource, scopes }).find(([, value]) => value !== undefined)?.[0];
    if (idle === undefined) return undefined;
    throw invalid(`"${idle}" is for access tokens, and no issuer of them is configured. Name one in "issuers", or leave "${idle}" out.`);
  }
  for (const options of issuers) checkIssuer(options);
  checkTogether(issuers, tokens);
  checkResource(resource);
  const providers = new Set([...kernel.registry.tools.values()].map(providerOf));
  for (const name of Object.keys(scopes?.provider ?? {}))
    if (!providers.has(name))
      throw invalid(`"scopes.provider" names "${name}", and no tool has that provider.${didYouMean(name, providers)}`);
  return {
    issuers: await Promise.all(issuers.map((options) => withSecret(options, kernel))),
    resource,
    scopes,
    kernel,
    logger: kernel.logger,
  };
}

function checkResource(resource: string | undefined): void {
  if (resource !== undefined) checkUrl('"resource"', resource);
  if (resource?.includes('?') === true)
    throw invalid('"resource" has a query: expected the URL of this server, such as https://tools.example/mcp.');
}

function checkIssuer({ issuer, jwksUri, introspection }: IssuerOptions): void {
  checkUrl('"issuer"', issuer);
  if (issuer.includes('?'))
    throw invalid(`The issuer "${issuer}" has a query: expected the issuer as its metadata and its tokens name it.`);
  if (jwksUri !== undefined) checkUrl(`"jwksUri" of the issuer ${issuer}`, jwksUri);
  if (introspection?.url !== undefined) checkUrl(`"introspection.url" of the issuer ${issuer}`, introspection.url);
}

function checkTogether(issuers: readonly IssuerOptions[], tokens: readonly { readonly name: string }[]): void {
  const names = issuers.map(({ issuer }) => issuer);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`"issuers" names ${twice} twice. Keep one of them.`);
  const asking = issuers.filter(({ introspection }) => introspection !== undefined);
  if (asking.length > 1)
    throw invalid(
      `${asking.length} issuers have "introspection": a token does not say which of them issued it, and is shown to no other. Keep one, and let the others issue JWTs.`,
    );
  const mistakable = tokens.find(({ name }) => /^https?:/i.test(name));
  if (mistakable !== undefined)
    throw invalid(
      `The token name "${mistakable.name}" could be taken for a caller of an issuer: expected one that is no URL. Choose another.`,
    );
}

async function withSecret(options: IssuerOptions, kernel: Kernel): Promise<TrustedIssuer> {
  const { introspection, issuer } = options;
  if (introspection === undefined) return options;
  const { clientSecret } = introspection;
  if (typeof clientSecret === 'string') return { ...options, clientSecret };
  await kernel.resolveSecrets([clientSecret.secret]);
  const found = kernel.secret(clientSecret.secret);
  const value = found === undefined ? '' : revealSecret(found);
  if (value !== '') return { ...options, clientSecret: value };
  throw invalid(`The secret ${clientSecret.secret} of the issuer ${issuer} was not found: no resolver has it. Add it there.`);
}

function invalid(message: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', message);
}
