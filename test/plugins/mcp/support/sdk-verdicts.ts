import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { classifyInboundRequest, specTypeSchemas } from '@modelcontextprotocol/server';
import type { ClientMessage } from './protocol-messages.ts';

/** Part of the schemas of both SDKs (Standard Schema). */
interface SdkSchema {
  readonly '~standard': { validate(value: unknown): unknown };
}

/** Schemas of whole messages, or of results, by subject. */
const sessionSchemas: Readonly<Record<string, SdkSchema>> = {
  initialize: sdk.InitializeRequestSchema,
  ping: sdk.PingRequestSchema,
  'tools/list': sdk.ListToolsRequestSchema,
  'tools/call': sdk.CallToolRequestSchema,
  'resources/list': sdk.ListResourcesRequestSchema,
  'resources/templates/list': sdk.ListResourceTemplatesRequestSchema,
  'resources/read': sdk.ReadResourceRequestSchema,
  'resources/subscribe': sdk.SubscribeRequestSchema,
  'resources/unsubscribe': sdk.UnsubscribeRequestSchema,
  'prompts/list': sdk.ListPromptsRequestSchema,
  'prompts/get': sdk.GetPromptRequestSchema,
  'completion/complete': sdk.CompleteRequestSchema,
  'logging/setLevel': sdk.SetLevelRequestSchema,
  'notifications/initialized': sdk.InitializedNotificationSchema,
  'notifications/cancelled': sdk.CancelledNotificationSchema,
  'notifications/progress': sdk.ProgressNotificationSchema,
  'notifications/roots/list_changed': sdk.RootsListChangedNotificationSchema,
  'answer to elicitation/create': sdk.ElicitResultSchema,
  'answer to sampling/createMessage': sdk.CreateMessageResultSchema,
  'answer to roots/list': sdk.ListRootsResultSchema,
};

/** Schemas of requests without a session, by method. */
const sessionlessSchemas: Readonly<Record<string, SdkSchema>> = {
  'server/discover': specTypeSchemas.DiscoverRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
  'completion/complete': specTypeSchemas.CompleteRequest,
  'subscriptions/listen': specTypeSchemas.SubscriptionsListenRequest,
  'tasks/get': specTypeSchemas.GetTaskRequest,
  'tasks/cancel': specTypeSchemas.CancelTaskRequest,
};

/** Returns true when the official SDK accepts a message with a session: version 1, for the revisions up to 2025-11-25. */
export function sdkAcceptsInSession({ subject, message }: ClientMessage): boolean {
  const schema = sessionSchemas[subject];
  if (subject.startsWith('answer to ')) return accepts(sdk.JSONRPCResultResponseSchema, message) && accepts(schema, resultOf(message));
  const envelope = subject.startsWith('notifications/') ? sdk.JSONRPCNotificationSchema : sdk.JSONRPCRequestSchema;
  return accepts(envelope, message) && accepts(schema, message);
}

/** Returns true when the official SDK accepts a request without a session: version 2, for 2026-07-28. */
export function sdkAcceptsSessionless({ subject, message }: ClientMessage): boolean {
  const route = classifyInboundRequest({ httpMethod: 'POST', body: message });
  return route.kind === 'modern' && route.messageKind === 'request' && accepts(sessionlessSchemas[subject], message);
}

function accepts(schema: SdkSchema | undefined, value: unknown): boolean {
  if (schema === undefined) return false;
  const { issues } = schema['~standard'].validate(value) as { readonly issues?: readonly unknown[] };
  return issues === undefined;
}

function resultOf(message: object): unknown {
  return (message as { readonly result?: unknown }).result;
}
