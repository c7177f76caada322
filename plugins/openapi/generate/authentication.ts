import type { JsonObject } from '../../../kernel/index.ts';
import type { ApiDocument, OAuthFlow, Operation, OperationParameter, SchemeUse, SecurityScheme } from '../operations/operation.ts';
import type { SuppliedValues } from './supplied-values.ts';
import { plainText } from './texts.ts';

/** `auth` of an execution, as definitions write it. */
export type AuthKey = JsonObject | readonly JsonObject[];

/** Maximum number of alternatives that one operation offers. */
const maxAlternatives = 10;

/** The security schemes of a document as keys of definitions. */
export class Authentication {
  readonly #schemes: ApiDocument['securitySchemes'];
  readonly #values: SuppliedValues;
  readonly #accountToken: string | undefined;
  readonly #scopes = new Set<string>();

  /** `accountToken`: the name of the bearer token of all schemes that take one. @default one for each scheme */
  constructor(schemes: ApiDocument['securitySchemes'], values: SuppliedValues, accountToken?: string) {
    this.#schemes = schemes;
    this.#values = values;
    this.#accountToken = accountToken;
  }

  /** Returns `auth` of an operation; `mutual TLS only` where there is nothing else. */
  of({ security: declared, parameters }: Pick<Operation, 'security' | 'parameters'>): AuthKey | 'mutual TLS only' {
    const security = this.#withRequired(declared, parameters);
    const usable = security.filter((alternative) => alternative.every(({ scheme }) => this.#schemes.get(scheme)?.type !== 'mutualTLS'));
    if (security.length > 0 && usable.length === 0) return 'mutual TLS only';
    const isOptional = usable.some((alternative) => alternative.length === 0);
    const alternatives = usable
      .filter((alternative) => alternative.length > 0)
      .slice(0, maxAlternatives)
      .map((alternative) => alternative.flatMap((use) => this.#styleOf(use, isOptional)))
      .filter((styles) => styles.length > 0);
    const [only = []] = alternatives;
    const isLone = alternatives.length + (isOptional ? 1 : 0) < 2;
    if (alternatives.length === 0) return { type: 'none' };
    if (isLone) return only.length === 1 ? (only[0] as JsonObject) : only;
    const all = alternatives.map((styles) => (styles.length === 1 ? (styles[0] as JsonObject) : styles));
    return { any_of: [...all, ...(isOptional ? [{ type: 'none' }] : [])] };
  }

  /** True for a parameter that is the credential of a scheme: no caller gives it. */
  isCredential(parameter: OperationParameter, security: Operation['security']): boolean {
    return security.flat().some((use) => this.#isOf(use, parameter));
  }

  /** Returns the alternatives that have all schemes whose credential is a required parameter too; else one with all of them. */
  #withRequired(security: Operation['security'], parameters: readonly OperationParameter[]): Operation['security'] {
    const required = parameters.filter(({ isRequired }) => isRequired);
    const needed = security.flat().filter((use) => required.some((parameter) => this.#isOf(use, parameter)));
    const names = new Set(needed.map(({ scheme }) => scheme));
    if (names.size < 2) return security;
    const whole = security.filter((alternative) => [...names].every((name) => alternative.some(({ scheme }) => scheme === name)));
    return whole.length > 0 ? whole : [[...names].map((scheme) => ({ scheme, scopes: [] }))];
  }

  #isOf({ scheme: name }: SchemeUse, parameter: OperationParameter): boolean {
    const scheme = this.#schemes.get(name);
    if (scheme?.type !== 'apiKey') return false;
    const isSameName =
      scheme.in === 'header' ? scheme.parameter.toLowerCase() === parameter.name.toLowerCase() : scheme.parameter === parameter.name;
    return scheme.in === parameter.in && isSameName;
  }

  /** Returns the `oauth2` block of the provider; undefined where no scheme has a flow that a person can follow (RFC 6749, 4.1). */
  oauth2(): JsonObject | undefined {
    for (const scheme of this.#schemes.values()) {
      if (scheme.type !== 'oauth2') continue;
      const flow = scheme.flows.find(({ grant }) => grant === 'authorizationCode');
      if (flow === undefined || !isWeb(flow.authorizationUrl) || !isWeb(flow.tokenUrl)) continue;
      return { auth_url: flow.authorizationUrl, token_url: flow.tokenUrl, scopes: { default: this.#scopesOf(flow) } };
    }
    return undefined;
  }

  /** Returns the scopes that the operations name. */
  #scopesOf({ scopes }: OAuthFlow): string[] {
    return [...this.#scopes].filter((scope) => Object.hasOwn(scopes, scope)).sort();
  }

  #styleOf({ scheme: name, scopes }: SchemeUse, isOptional: boolean): readonly JsonObject[] {
    const scheme = this.#schemes.get(name);
    if (scheme === undefined) return [];
    const value = (...words: readonly string[]): string => {
      const description = [plainText(scheme.description, 200), titleOf(scheme)].find((text) => text !== '') ?? '';
      return `{${this.#values.add({ name: this.#values.nameOf(name, ...words), isSecret: true, isRequired: !isOptional, description })}}`;
    };
    if (this.#accountToken !== undefined && takesBearer(scheme)) {
      for (const scope of scopes) this.#scopes.add(scope);
      const description = "The access token of the caller's account.";
      const token = this.#values.add({ name: this.#accountToken, isSecret: true, isRequired: !isOptional, description });
      return [{ type: 'bearer', token: `{${token}}` }];
    }
    switch (scheme.type) {
      case 'apiKey':
        return [{ type: scheme.in, name: scheme.parameter, value: value() }];
      case 'http':
        return [httpStyle(scheme.scheme, value)];
      case 'oauth2':
      case 'openIdConnect':
        for (const scope of scopes) this.#scopes.add(scope);
        return [{ type: 'bearer', token: value() }];
      case 'mutualTLS':
        return [];
    }
  }
}

function takesBearer(scheme: SecurityScheme): boolean {
  return (
    scheme.type === 'oauth2' || scheme.type === 'openIdConnect' || (scheme.type === 'http' && scheme.scheme.toLowerCase() === 'bearer')
  );
}

function httpStyle(scheme: string, value: (...words: readonly string[]) => string): JsonObject {
  switch (scheme.toLowerCase()) {
    case 'basic':
      return { type: 'basic', username: value('USERNAME'), password: value('PASSWORD') };
    case 'bearer':
      return { type: 'bearer', token: value() };
    default:
      // The value is all that follows the name of the scheme (RFC 9110, 11.4).
      return { type: 'header', name: 'Authorization', value: `${scheme.replace(/[^\w-]/g, '')} ${value()}` };
  }
}

function titleOf(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `The API key for the ${scheme.in} "${plainText(scheme.parameter, 60)}"`;
    case 'http':
      return `The credential of the HTTP scheme "${plainText(scheme.scheme, 30)}"`;
    case 'oauth2':
      return 'An OAuth 2.0 access token';
    default:
      return 'An access token';
  }
}

/** True for an address without placeholders: those of a document are no values that the operator supplies. */
function isWeb(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\/[^\s{}]+$/.test(url);
}
