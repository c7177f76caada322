/** Test helpers for authors of plugins and tools. They work with every test runner. */
export { type CallEngineCheck, callEngineChecks, type OpenEngines } from './testing/calls/call-engine-checks.ts';
export { checkPlugin, type PluginCheck, pluginChecks } from './testing/contract/check-plugin.ts';
export type { PluginCheckOptions } from './testing/contract/subject.ts';
export { type LogRecord, memoryLogger } from './testing/memory-logger.ts';
export { type OpenStores, type StateStoreCheck, stateStoreChecks } from './testing/state/state-store-checks.ts';
export { createTestKit, type TestKit, type TestKitOptions } from './testing/test-kit.ts';
export { type InvalidToolRuleCase, type ToolRuleCase, type ToolRuleCases, toolRuleTester } from './testing/tool-rule-tester.ts';
