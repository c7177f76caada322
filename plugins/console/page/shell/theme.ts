import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.ts';
import { useMedia } from '../hooks/use-media.ts';
import { html } from '../html.ts';

const storedName = 'toolkit-console-theme';

/** Switches between light and dark. Until it was used once, the browser's scheme counts. */
export function ThemeSwitch(): VNode {
  const isDarkByBrowser = useMedia('(prefers-color-scheme: dark)');
  const [chosen, setChosen] = useState(() => readChoice());
  const isDark = chosen === undefined ? isDarkByBrowser : chosen === 'dark';
  useEffect(() => {
    if (chosen === undefined) return;
    applyTheme(chosen);
    localStorage.setItem(storedName, chosen);
  }, [chosen]);
  return html`<${Button} kind="quiet" icon=${isDark ? 'sun' : 'moon'} label=${isDark ? 'Light colours' : 'Dark colours'}
    onClick=${() => setChosen(isDark ? 'light' : 'dark')} />`;
}

/** Shows the page in the chosen colours. Called before the page is shown at all, so that it does not flash. */
export function applyTheme(chosen = readChoice()): void {
  if (chosen !== undefined) document.documentElement.dataset['theme'] = chosen;
}

function readChoice(): 'light' | 'dark' | undefined {
  const stored = localStorage.getItem(storedName);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}
