import { jsonText } from '../../../../shared/text/json-text.ts';
import { configurationOf } from '../clients/clients.ts';
import type { WriteResult } from '../clients/write-entry.ts';
import { type ClientTarget, cacheAdvice } from '../configurations.ts';
import type { Plan } from '../plan.ts';
import { missingNames } from '../scan.ts';
import type { TestResult } from '../self-test/self-test.ts';
import { limitsOf } from './listing-report.ts';

/** Returns the JSON of `--json`. Members are added, never renamed. */
export function jsonReport(
  plan: Plan,
  targets: readonly ClientTarget[],
  test: TestResult | undefined,
  written: readonly WriteResult[],
): string {
  const { project, groups, launches, transports, url } = plan;
  const report = {
    project: project.folder,
    config_file: project.configFile ?? null,
    providers: groups.map(({ name, tools, documentationUrl, scopes, variables }) => ({
      name,
      tools: tools.length,
      tool_names: tools,
      documentation_url: documentationUrl ?? null,
      required_scopes: scopes,
      variables: variables.map(({ name: variable, isRequired, source, login, description }) => ({
        name: variable,
        required: isRequired,
        set: source !== undefined,
        source: source ?? null,
        login: login ?? null,
        description: description ?? null,
      })),
    })),
    server: {
      tools: plan.tools,
      expose: plan.expose,
      lists: { estimated: true, all: plan.lists.all, search: plan.lists.search ?? null },
      stdio: launches.stdio,
      http: { ...launches.http, url },
    },
    secrets: { file: project.envFile?.file ?? null, missing: missingNames(groups) },
    clients: targets.flatMap(({ client, file, isInstalled }) =>
      transports.map((transport) => ({
        name: client.name,
        label: client.label,
        transport,
        file: file ?? null,
        installed: isInstalled,
        configuration: configurationOf(plan.entryOf(client, transport)),
        note: client.note?.(transport) ?? null,
        max_tools: limitsOf(client).maxTools ?? null,
        searches_tools: limitsOf(client).searchesTools,
        listed: plan.exposureOf(client),
      })),
    ),
    warnings: [cacheAdvice(plan)].filter((text) => text !== '').map((text) => text.trim()),
    test: test ?? null,
    written: written.map(({ client, file, backup, isChanged }) => ({ client, file, backup: backup ?? null, changed: isChanged })),
  };
  return jsonText(report);
}
