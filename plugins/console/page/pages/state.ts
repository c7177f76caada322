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
import { statusParts } from '../state/status-parts.ts';
import { StatusView } from '../state/status-view.ts';
import type { Page } from './page.ts';

const intervalMs = 5000;

/** Sessions, limits, circuits and queues, and the numbers of the server. */
export const StatePage: Page = () => {
  const data = useData<StateAnswer>('state', 'sources');
  useInterval(() => void data.reload(), intervalMs);
  return html`<${PageHead} title="State" lead="How this process is doing now. Read again every five seconds.">
      <${Button} onClick=${() => void data.reload()}>Read now<//><//>
    <${Loaded} data=${data}>${({ status, failure, gauges }: StateAnswer) => html`
      ${failure !== undefined && html`<div class="callout danger"><p>${shownLine(failure)}</p></div>`}
      ${failure === undefined && Object.keys(status).length === 0 && gauges.length === 0 && html`<${Empty} title="Nothing is measured">Plugins such as <code>mcp</code>, <code>limit-rate</code> and <code>limit-circuit</code> show their state here.<//>`}
      ${statusParts(status).map(
        ({ name, title, lead, none, value }) => html`<${Section} key=${name} title=${shownLine(title)} lead=${lead}>
          <div class=${Array.isArray(value) && value.length > 0 ? '' : 'card'}><${StatusView} name=${name} value=${value} none=${none} /></div><//>`,
      )}
      ${gauges.length > 0 && html`<${Section} title="Measurements" lead="As a monitoring system gets them from this process. Those of zero are left out where there are several of a name."><${GaugeTable} gauges=${gauges} /><//>`}`}<//>`;
};
