/// <reference types="node" preserve="true" />

export type { ApprovalHost, ApprovalInbox, CallToHold, HeldCall, WakingAnswer } from './approval/approval-inbox.ts';
export * from './approval/approval-record.ts';
export type { ApprovalRequest } from './approval/approval-request.ts';
export type { Approvals } from './approval/approvals.ts';
export { isLostCall } from './approval/lost-call.ts';
export type { CallContext } from './call/context/context.ts';
export type { Encoding, Identify } from './call/context/plugin-functions.ts';
export type { ToolView } from './call/context/tool-view.ts';
export type { Call, CallOrigin, DraftCall } from './call/draft.ts';
export { isCarriedOut } from './call/end/carried-out.ts';
export type { CallEnd } from './call/end/end.ts';
export { type Bindings, type CallIdentity, changedIn, type IdentityPart } from './call/identity.ts';
export { InFlight } from './call/in-flight.ts';
export type { CallOutput, ExecutionResult } from './call/output.ts';
export type { LaunchedProgram, Launcher, LaunchFacts, ProgramEnd, ProgramStart, WriteGrant } from './call/program-launcher.ts';
export type { Progress } from './call/progress.ts';
export type { Refusal, RefusalListener } from './call/refusals.ts';
export type { CallRequest, ExecuteOptions } from './call/request.ts';
export type { ApprovalDecision } from './call/verdict.ts';
export { ask, deny, type Effect, type Reason, type Verdict } from './call/verdict.ts';
export type { PluginCheck } from './check.ts';
export type { ApprovalQuestion } from './client/approval-question.ts';
export type { Answer, CallClient, ClientRoot, EntryLevel, LogEntry, Question, Sample, SamplingRequest } from './client/client.ts';
export { type ContentPart, type CutOutput, checkContent, type ResourceContent } from './client/content.ts';
export { maskedClient } from './client/masked-client.ts';
export type { UrlAnswer, UrlRequest } from './client/url-request.ts';
export type { AdaptableOptions, Command, CommandArgument, CommandFlag, CommandInvocation, Complete, Terminal } from './command.ts';
export type { CachedDefinition } from './definition/cache/link-cache.ts';
export { checkDefinition } from './definition/check/check-definition.ts';
export type { DefinitionKey, KeyScope } from './definition/check/keys.ts';
export { type ProblemLine, problemLines } from './definition/check/log-problems.ts';
export type { LinkResult } from './definition/link/link-result.ts';
export type { Advise } from './definition/registry/check-tool.ts';
export type { DiscoverSink } from './definition/registry/discover-sink.ts';
export { Registry } from './definition/registry/registry.ts';
export type { WithheldItem } from './definition/registry/withheld-item.ts';
export type { FindWithheld } from './definition/registry/withhold.ts';
export type {
  Completer,
  Completion,
  Prompt,
  PromptMessage,
  PromptResult,
  ReadContext,
  ReadResult,
  Resource,
  ResourceTemplate,
} from './definition/resources/resource.ts';
export type { Skill } from './definition/resources/skill.ts';
export { type CredentialNeed, isSecretName, secretPrefixOf } from './definition/schema/credentials.ts';
export { exactLookup, roundedIssues } from './definition/schema/exact-lookup.ts';
export type {
  CodeCheck,
  CodeIssue,
  DefinitionContext,
  Execution,
  ExecutionReader,
  KnownNames,
} from './definition/schema/execution-type.ts';
export { type OAuth2Definition, OAuth2Schema } from './definition/schema/oauth2.ts';
export type { Origin } from './definition/schema/origin.ts';
export type { Parameter } from './definition/schema/parameter.ts';
export { type CodeFile, keyOfCode, type PinnedCode, unseen } from './definition/schema/pinned-code.ts';
export { formatProblem, type Locate, type Position, type Problem } from './definition/schema/problem.ts';
export type { ProviderDefinition } from './definition/schema/provider-definition.ts';
export { asText, type Lookup, parseTemplate, placeholdersIn, refuseValue, renderText, renderValue } from './definition/schema/template.ts';
export { type Derivation, isOperatorsMember, type MaybeTool, type Provider, type Tool } from './definition/schema/tool.ts';
export { type Risk, RiskSchema, riskLevels, type ToolAnnotations, type ToolDefinition } from './definition/schema/tool-definition.ts';
export type { Preview } from './discovery/live-registry.ts';
export type { Change } from './discovery/snapshot.ts';
export * from './durable/call-engine.ts';
export type { CallerOptions, DurableCalls } from './durable/durable-calls.ts';
export type { DurableHandle } from './durable/durable-handle.ts';
export type { DurableOptions } from './durable/durable-request.ts';
export type { EffectName, FindEffect, KnownEffect } from './durable/known-effect.ts';
export type { WorkOptions } from './durable/work-options.ts';
export { type ErrorCode, type ErrorDetails, errorCodes, excerpt, type Issue, messageOf, sentence, ToolkitError } from './errors.ts';
export type { ApprovalProof, Extend } from './extend.ts';
export { type ControlFileRule, ControlFiles, controlFileError, type FileAccess } from './files/control-files.ts';
export { outOfDescriptorsError } from './files/out-of-descriptors.ts';
export type { Finding, FindingState } from './finding.ts';
export type { PluginFlag, PluginFlags } from './flag.ts';
export { hasMoreEntries, refuseCostlyAnswer, textExcess, valueExcess } from './json/cost.ts';
export { describeValue, isLarge, isPlainObject, type JsonObject, type JsonSchema, type JsonValue, toJsonValue } from './json/json.ts';
export { isUnsafeInteger, mayRound, quoteNumbers, readJson } from './json/read-json.ts';
export { unmarked, writeJson, writeMarked } from './json/write-json.ts';
export { createKernel, type KernelOptions } from './kernel.ts';
export type { CheckServices, ConfiguredCheck, ConfiguredPlugin, FlagTopic, Kernel, Overrides } from './kernel-api.ts';
export { type LogFormat, type LogLevel, logFormats, logLevels } from './log/log-settings.ts';
export { createLogger, discard, type Logger, type LoggerOptions, type LogMeta, logFormatOf, withFormatOf } from './log/logger.ts';
export type { ClientCertificate, HostAddress, OutboundAddresses, OutboundFetch, OutboundOptions } from './outbound.ts';
export * from './plugin.ts';
export {
  checkExactly,
  checkValue,
  findExactIssues,
  findIssues,
  type IssueList,
  type ReferencedSchemas,
} from './schema/check-value.ts';
export { didYouMean, nearest } from './schema/nearest.ts';
export { marksExcess, normalizeText } from './schema/normalize-text.ts';
export { isNumericAt } from './schema/numeric-path.ts';
export { asciiHost, hostExcess, parseUrl, toUrl, unicodeHost } from './schema/parse-url.ts';
export { bracketNesting, maxPatternNesting, patternExcess } from './schema/pattern-excess.ts';
export { subschemaKeywords } from './schema/subschema-keywords.ts';
export * from './schema/tool-types.ts';
export { pointerSegments } from './schema/validator-finding.ts';
export { bindCredentials, missingCredentials, missingSecrets, secretsInWords } from './secrets/bind-credentials.ts';
export type { CallerCredentials, CallSecrets, CredentialsOf } from './secrets/call-secrets.ts';
export type {
  AccessRequest,
  CredentialOwner,
  CredentialRequest,
  CredentialSource,
  MissingCredential,
  ScopeRefusal,
  SourcedCredential,
} from './secrets/credential-source.ts';
export { approvedArgument } from './secrets/own-secrets.ts';
export { Redactor } from './secrets/redact.ts';
export { revealSecret, Secret } from './secrets/secret.ts';
export type { SecretLife } from './secrets/secret-life.ts';
export type { SecretSink } from './secrets/secret-sink.ts';
export type { CallerIssuer, HttpRoute, HttpRouteAccess, HttpRouteRequest, HttpRouteResponse, HttpRoutes } from './serve/http-route.ts';
export type { RunningServer, ServeOptions, ServeSink } from './serve/serve-sink.ts';
export * from './source/source.ts';
export { type Liveness, Members } from './state/liveness.ts';
export * from './state/state-store.ts';
export type { ConfiguredTap } from './taps/configured-tap.ts';
export { defineFact, type Fact, type FactKind } from './taps/facts.ts';
export type { Gauge, GaugeRow } from './taps/gauges.ts';
export type { HookContext } from './taps/hook-context.ts';
export { type HookName, hookNames } from './taps/hook-names.ts';
export { after } from './taps/run-taps.ts';
export type { TapEffect } from './taps/tap-effect.ts';
export type { TapOptions } from './taps/tap-options.ts';
export { LongWork } from './time/long-work.ts';
export type { MaybePromise } from './time/maybe-promise.ts';
export { errorTypeOf } from './trace/error-type.ts';
export type { CallTrace, Span, SpanAttributes, SpanKind, SpanOptions, TraceContext, Tracer } from './trace/span.ts';
export { traceContext } from './trace/trace-context.ts';
