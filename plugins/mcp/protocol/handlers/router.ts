import type { CompleteRequestParams } from '../../../shared/mcp-sdk/types.ts';
import type { Exchange } from '../clients/exchange.ts';

interface ListParams {
  readonly cursor?: string;
}

interface UriParams {
  readonly uri: string;
}

/** Parameters by method, for the methods that a protocol library routes to our handlers. */
export interface RoutedParams {
  readonly 'resources/list': ListParams;
  readonly 'resources/templates/list': ListParams;
  readonly 'resources/read': UriParams;
  readonly 'resources/subscribe': UriParams;
  readonly 'resources/unsubscribe': UriParams;
  readonly 'prompts/list': ListParams;
  readonly 'prompts/get': { readonly name: string; readonly arguments?: Readonly<Record<string, string>> };
  readonly 'completion/complete': CompleteRequestParams;
  readonly 'logging/setLevel': { readonly level: string };
}

export type RoutedMethod = keyof RoutedParams;

/** Registers handlers by method. A router checks the parameters, and counts each request while it runs. */
export interface Router {
  on<Method extends RoutedMethod>(
    method: Method,
    handle: (params: RoutedParams[Method], exchange: Exchange) => object | Promise<object>,
  ): void;
}
