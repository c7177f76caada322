import { isSecretName, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import type { Server } from '../operations/operation.ts';
import type { SuppliedValues } from './supplied-values.ts';
import { plainText } from './texts.ts';

/** The beginning of the URLs of an operation. */
export interface BaseUrl {
  /** A template without a slash at its end: `https://{BOX_REGION}.box.com/2.0`. */
  readonly template: string;
  /** The origin, with the defaults of its variables: `https://eu.box.com`. */
  readonly origin: string;
}

/** Returns the base URL that the operator names. Throws CONFIG_INVALID for one that is none. */
export function namedBase(server: string): BaseUrl {
  const url = parseUrl(server);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || /[{}]/.test(server))
    throw new ToolkitError(
      'CONFIG_INVALID',
      `"server" of a source is no base URL: expected one such as https://api.example.com/v1, without a user name, received "${plainText(server, 100)}".`,
    );
  return { template: server.replace(/[?#].*$/, '').replace(/\/+$/, ''), origin: url.origin };
}

/** Returns the base URL of the first usable server, https before http; undefined where none is absolute. */
export function baseUrlOf(servers: readonly Server[], values: SuppliedValues): BaseUrl | undefined {
  const usable = servers.flatMap((server) => completed(server, values) ?? []);
  const chosen = usable.find(({ origin }) => origin.startsWith('https:')) ?? usable[0];
  // Only now: the other servers need no values.
  return chosen === undefined ? undefined : { template: chosen.template(), origin: chosen.origin };
}

interface UsableServer {
  readonly origin: string;
  /** Returns the template, and adds the values of its placeholders. */
  readonly template: () => string;
}

function completed({ url, variables }: Server, values: SuppliedValues): UsableServer | undefined {
  const scheme = url.indexOf('://');
  let isWhole = true;
  const fill = (asTemplate: boolean): string =>
    url.replace(/\{([^{}]*)\}/g, (_, name: string, at: number) => {
      const { default: byDefault = '', enum: choices, description } = Object.hasOwn(variables, name) ? (variables[name] ?? {}) : {};
      const secret = values.nameOf(name);
      if (byDefault === '' && at < scheme) isWhole = false;
      // A value is one segment of a path or a part of a host; and a name like a secret's has no default.
      const isFixed = at < scheme || /[/?#]/.test(byDefault) || (byDefault !== '' && isSecretName(secret));
      if (!asTemplate || isFixed) return byDefault === '' ? 'unset.invalid' : byDefault;
      return `{${values.add({
        name: secret,
        isSecret: false,
        isRequired: byDefault === '',
        description: plainText(description, 200) || `Part of the server's address: ${plainText(url, 100)}`,
        ...(byDefault === '' ? {} : { default: byDefault }),
        ...(choices === undefined || choices.length < 2 || !choices.includes(byDefault) ? {} : { enum: choices }),
      })}}`;
    });
  const plain = parseUrl(fill(false));
  if (plain === undefined || !isWhole || !/^https?:$/.test(plain.protocol) || plain.username !== '' || plain.password !== '')
    return undefined;
  return {
    template: () =>
      fill(true)
        .replace(/[?#].*$/, '')
        .replace(/\/+$/, ''),
    origin: plain.origin,
  };
}
