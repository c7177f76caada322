import type { VNode } from 'preact';
import type { Finding } from '../../../../kernel/index.ts';
import type { ProblemsPage as ProblemsAnswer } from '../../wire/state.ts';
import { Badge } from '../components/badge.ts';
import { Empty } from '../components/empty.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Pager } from '../components/pager.ts';
import { Section } from '../components/section.ts';
import { shownLine, shownLines } from '../formats/shown-text.ts';
import type { Tone } from '../formats/tone.ts';
import { counted } from '../formats/words.ts';
import { useData } from '../hooks/use-data.ts';
import { useShown } from '../hooks/use-shown.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import type { Page } from './page.ts';

type Problem = ProblemsAnswer['problems'][number];

const tones: Readonly<Record<string, Tone>> = { error: 'danger', problem: 'danger', warning: 'warn', ok: 'ok' };
const order: readonly string[] = ['error', 'problem', 'warning', 'not checked', 'ok'];

/** Problems of definitions, and the findings of the checks of this server. */
export const ProblemsPage: Page = () => {
  const data = useData<ProblemsAnswer>('problems', 'tools', 'sources');
  return html`<${PageHead} title="Problems" lead="What could not be loaded, and what the checks of this server found. Each says what to do." />
    <${Loaded} data=${data}>${(page: ProblemsAnswer) => html`<${ProblemList} page=${page} />`}<//>`;
};

function ProblemList({ page }: { readonly page: ProblemsAnswer }): VNode {
  const problems = [...page.problems].sort((first, second) => rank(first.severity) - rank(second.severity));
  const findings = page.findings.filter(({ state }) => state !== 'ok').sort((first, second) => rank(first.state) - rank(second.state));
  const passed = page.findings.filter(({ state }) => state === 'ok');
  const shown = useShown(problems);
  const checks = html`<details class="disclosure"><summary>${counted(passed.length, 'check')} passed</summary>
    <ul class="bullets">${passed.map(({ check, message }) => html`<li key=${check + message}><strong>${shownLine(check)}</strong>: ${shownLine(message)}</li>`)}</ul></details>`;
  if (problems.length + findings.length === 0)
    return html`<${Empty} title="No problems">Every definition was loaded. <code>toolkit doctor</code> checks more, such as whether services can be reached.<//>
      ${passed.length > 0 && checks}`;
  return html`${
    problems.length > 0 &&
    html`<${Section} title="Definitions"><ul class="notes">${shown.rows.map((problem, index) => html`<${ProblemNote} key=${index} problem=${problem} />`)}</ul>
      <${Pager} shown=${shown.rows.length} noun=${shown.hasMore ? `of ${problems.length} problem` : 'problem'} hasMore=${shown.hasMore} isLoading=${false} onMore=${shown.more} /><//>`
  }
    ${
      (findings.length > 0 || passed.length > 0) &&
      html`<${Section} title="Checks">
      ${findings.length > 0 && html`<ul class="notes">${findings.map((finding, index) => html`<${FindingNote} key=${index} finding=${finding} />`)}</ul>`}
      ${passed.length > 0 && checks}<//>`
    }`;
}

function ProblemNote({ problem }: { readonly problem: Problem }): VNode {
  const { severity, code, message, file, tool } = problem;
  return html`<li class="note"><p><${Badge} tone=${tones[severity] ?? 'neutral'}>${shownLine(severity)}<//> <span class="mono muted">${shownLine(code)}</span>
      ${tool !== undefined && html` <a class="mono" href=${hashOf('tools', tool)}>${shownLine(tool)}</a>`}</p>
    <p>${shownLines(message)}</p>
    ${file !== undefined && html`<p class="hint mono">${shownLine(file)}</p>`}</li>`;
}

function FindingNote({ finding }: { readonly finding: Finding }): VNode {
  const { check, state, message, details = [], hint } = finding;
  return html`<li class="note"><p><${Badge} tone=${tones[state] ?? 'neutral'}>${state}<//> <strong>${shownLine(check)}</strong></p>
    <p>${shownLine(message)}</p>
    ${
      details.length > 0 &&
      html`<details class="disclosure" open=${details.length <= 5}><summary>${counted(details.length, 'item')}</summary>
      <ul class="bullets">${details.slice(0, 500).map((detail) => html`<li key=${detail} class="mono">${shownLine(detail)}</li>`)}</ul>
      ${details.length > 500 && html`<p class="hint">and ${details.length - 500} more: run <code>toolkit doctor</code>.</p>`}</details>`
    }
    ${hint !== undefined && html`<p><strong>What to do:</strong> ${shownLine(hint)}</p>`}</li>`;
}

function rank(word: string): number {
  const index = order.indexOf(word);
  return index === -1 ? order.length : index;
}
