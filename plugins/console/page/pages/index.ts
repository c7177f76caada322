import type { PageName, Route } from '../router.ts';
import { AccountsPage } from './accounts.ts';
import { CallPage } from './call.ts';
import { CallsPage } from './calls.ts';
import { InboxPage } from './inbox.ts';
import type { Page } from './page.ts';
import { ProblemsPage } from './problems.ts';
import { SecretsPage } from './secrets.ts';
import { SourcesPage } from './sources.ts';
import { StatePage } from './state.ts';
import { ToolPage } from './tool.ts';
import { ToolsPage } from './tools.ts';

const lists: Readonly<Record<PageName, Page>> = {
  inbox: InboxPage,
  calls: CallsPage,
  tools: ToolsPage,
  sources: SourcesPage,
  state: StatePage,
  accounts: AccountsPage,
  secrets: SecretsPage,
  problems: ProblemsPage,
};

/** Pages of one item. The inbox shows its items itself, beside the list. */
const details: Partial<Readonly<Record<PageName, Page>>> = { calls: CallPage, tools: ToolPage };

/** Returns the page of a route. */
export function pageOf({ page, id }: Route): Page {
  return (id === undefined ? undefined : details[page]) ?? lists[page];
}
