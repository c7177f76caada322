import { knownClient } from '../../../../shared/exposure/known-clients.ts';
import { formatNumber, toolCount } from '../../../../shared/terminal/format-number.ts';
import type { Client } from '../clients/clients.ts';
import type { Plan } from '../plan.ts';

/** Reports the token cost of the tool list, the exposure for each client, and clients with too low a limit. */
export function listingReport(plan: Plan, clients: readonly Client[]): string {
  const { lists, exposureOf, project } = plan;
  const few =
    lists.search === undefined
      ? ''
      : `; the ${lists.search.tools} that find and call the others take about ${formatNumber(lists.search.tokens)}`;
  const withAll = clients.filter((client) => exposureOf(client) === 'all');
  const withFew = clients.filter((client) => exposureOf(client) === 'search');
  const refused = withAll.filter((client) => lists.all.tools > (limitsOf(client).maxTools ?? Number.POSITIVE_INFINITY));
  return [
    `Listing ${toolCount(lists.all.tools)} takes about ${formatNumber(lists.all.tokens)} tokens of a model's context${few}.`,
    ...(withAll.length === 0 ? [] : [`All are listed to ${withAll.map(describeClient).join(', ')}.`]),
    ...(withFew.length === 0 ? [] : [`Only those few are listed to ${withFew.map(describeClient).join(', ')}, where all can be called.`]),
    ...refused.map(
      ({ label }) =>
        `${label} does not take them all: choose fewer with --providers${project.scan.canSearch ? ', or let the configuration expose few (expose: auto)' : ''}.`,
    ),
    '',
  ].join('\n');
}

/** Returns the client's limits by its documentation. */
export function limitsOf({ clientInfo }: Client): { readonly searchesTools: boolean; readonly maxTools?: number } {
  const { searchesTools = false, maxTools } = knownClient(clientInfo) ?? {};
  return { searchesTools, ...(maxTools === undefined ? {} : { maxTools }) };
}

function describeClient(client: Client): string {
  const { searchesTools, maxTools } = limitsOf(client);
  if (searchesTools) return `${client.label} (searches tools itself)`;
  return maxTools === undefined ? client.label : `${client.label} (takes ${maxTools} at most, of all servers)`;
}
