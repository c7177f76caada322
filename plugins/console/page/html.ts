import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

/** Things that a component can show. */
export type Children = ComponentChildren;

/** Makes elements from a template: `<p class="note">${text}</p>`. Texts are never read as markup. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode;
