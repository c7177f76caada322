import { isPlainObject, type Logger, type LogMeta } from '../../../kernel/index.ts';
import type { ClientParts } from '../host-parts.ts';
import type { HostPeer } from '../peer/host-peer.ts';

export const callbackNames = ['onHITL', 'onApproval', 'resolveSecrets', 'credentialsOf', 'log'] as const;

export type CallbackName = (typeof callbackNames)[number];

/** Time limit for the client's answer to `credentialsOf`, in milliseconds: the same as the limit of the hook that asks. */
const credentialsTimeoutMs = 10_000;

interface Client {
  readonly peer: Pick<HostPeer, 'ask' | 'notify'>;
  /** True when the client has much unread output; log records are dropped then. */
  readonly isBehind: () => boolean;
}

/** Returns the callbacks that the client answers, as functions. */
export function clientCallbacks({ peer, isBehind }: Client, names: readonly CallbackName[]): Omit<ClientParts, 'plugin'> {
  const approved = async (method: string, params: object, signal: AbortSignal): Promise<unknown> => {
    const answer = await peer.ask(method, params, { signal });
    return isPlainObject(answer) ? answer['approved'] : false;
  };
  const callbacks: Required<Omit<ClientParts, 'plugin'>> = {
    onHITL: async (request, signal) => (await approved('callback/onHITL', { request }, signal)) === true,
    onApproval: async ({ token, ...request }, signal) => {
      const answer = await approved('callback/onApproval', { request, ...(token === undefined ? {} : { token: token() }) }, signal);
      return answer === null ? undefined : answer === true;
    },
    credentialsOf: async (caller) => {
      const answer = await peer.ask('callback/credentialsOf', { caller }, { signal: AbortSignal.timeout(credentialsTimeoutMs) });
      const credentials = isPlainObject(answer) ? answer['credentials'] : undefined;
      return credentials === 'chain' || isPlainObject(credentials)
        ? (credentials as Readonly<Record<string, string>> | 'chain')
        : undefined;
    },
    logger: clientLogger(peer, isBehind),
  };
  const named = Object.entries(callbacks).filter(([name]) => names.includes((name === 'logger' ? 'log' : name) as CallbackName));
  return Object.fromEntries(named);
}

/** Returns a logger that sends each record to the client. Records that a slow client would not read are dropped and counted. */
function clientLogger(peer: Pick<HostPeer, 'notify'>, isBehind: () => boolean): Logger {
  let dropped = 0;
  const method = (level: keyof Logger) => (message: string, meta?: LogMeta) => {
    if (isBehind()) {
      dropped += 1;
      return;
    }
    if (dropped > 0)
      peer.notify('callback/log', {
        level: 'warn',
        message: 'records were dropped, because the client did not read them',
        meta: { dropped },
      });
    dropped = 0;
    peer.notify('callback/log', { level, message, ...(meta === undefined ? {} : { meta }) });
  };
  return { error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') };
}
