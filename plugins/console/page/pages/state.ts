import type { StatePage as StateAnswer } from '../../wire/state.ts';
import { Button } from '../components/button.ts';
import { Empty } from '../components/empty.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Section } from '../components/section.ts';
import { shownLine } from '../formats/shown-text.ts';
import { useData } from '../hooks/use-data.ts';
import { useInterval } from '../hooks/use-interval.ts';
import { html } from '../html.ts';
import { GaugeTable } from '../state/gauge-table.ts';
import { StatusView } from '../state/status-view.ts';
import { nameInWords } from '../state/status-words.ts';
import type { Page } from './page.ts';

/** One sentence about each status that the built-in plugins have. */
const leads: Readonly<Record<string, string>> = {
  sessions: 'Clients that are connected over HTTP, and the limits of connections.',
  queues: 'Calls that wait for a rate limit, and the use of each limit.',
  circuits: 'Services that failed too often: calls to them are refused until a test call succeeds.',
};

const intervalMs = 5000;

/** Sessions, limits, circuits and queues, and the numbers of the server. */
export const StatePage: Page = () => {
  const data = useData<StateAnswer>('state', 'sources');
  useInterval(() => void data.reload(), intervalMs);
  return html`<${PageHead} title="State" lead="Sessions, limits, circuits and queues of this process. Read again every five seconds.">
      <${Button} onClick=${() => void data.reload()}>Read now<//><//>
    <${Loaded} data=${data}>${({ status, failure, gauges }: StateAnswer) => html`
      ${failure !== undefined && html`<div class="callout danger"><p>${shownLine(failure)}</p></div>`}
      ${failure === undefined && Object.keys(status).length === 0 && gauges.length === 0 && html`<${Empty} title="Nothing is measured">Plugins such as <code>mcp</code>, <code>limit-rate</code> and <code>limit-circuit</code> show their state here.<//>`}
      ${Object.entries(status).map(
        ([
          name,
          value,
        ]) => html`<${Section} key=${name} title=${shownLine(nameInWords(name))} lead=${Object.hasOwn(leads, name) ? leads[name] : undefined}>
          <div class="card"><${StatusView} name=${name} value=${value} /></div><//>`,
      )}
      ${gauges.length > 0 && html`<${Section} title="Numbers" lead="As a monitoring system sees them. Rows of zero with labels are left out."><${GaugeTable} gauges=${gauges} /><//>`}`}<//>`;
};
