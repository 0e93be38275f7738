/** Whether a page fits: small screens, large text, thumbs, the keyboard. Each answers what does not, a line each. */
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';

/** Widest that is wanted of a phone, and half of a usual window for text of twice the size (WCAG 2.2, 1.4.10 and 1.4.4), in CSS pixels. */
const narrow = 320;

/** What is wider than the page. */
const overflow = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const isWithin = (one: Element): boolean =>
      getComputedStyle(one).overflowX !== 'visible' ||
      (one.parentElement !== null && isWithin(one.parentElement));
    const wide = Array.from(document.body.querySelectorAll('*')).filter(
      (one) =>
        one.getBoundingClientRect().right > clientWidth + 1 &&
        !(one.parentElement && isWithin(one.parentElement)),
    );
    return [`${scrollWidth} wide: ${wide.at(-1)?.outerHTML.slice(0, 160)}`];
  });

export async function widthFaults(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: narrow, height: 640 });
  const small = await overflow(page);
  await page.setViewportSize({ width: 2 * narrow, height: 640 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const large = await overflow(page);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.setViewportSize(before);
  return [...small.map((fault) => `phone: ${fault}`), ...large.map((fault) => `200 %: ${fault}`)];
}

/** Buttons, fields and links that a thumb misses (WCAG 2.2, 2.5.8): links within a sentence are as high as its lines. */
export const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const least = 24;
    const isInSentence = (one: Element) => one.matches('a') && getComputedStyle(one).display === 'inline';
    return Array.from(document.querySelectorAll('button, a[href], input, textarea, summary, [role="option"]'))
      .filter((one) => !one.closest('.visually-hidden, .skip') && !isInSentence(one))
      .map((one) => ({ target: one.closest('label') ?? one, one }))
      .filter(({ target }) => target.checkVisibility({ visibilityProperty: true }))
      .map(({ target, one }) => ({ one, ...target.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => width > 0 && (width < least || height < least))
      .map(({ one, width, height }) => `${width} x ${height}: ${one.outerHTML.slice(0, 120)}`);
  });

/** Goes around by Tab, or as far as so many presses lead: what takes the focus is to be seen, and lets it go on (WCAG 2.2, 2.1.2 and 2.4.7). */
export async function focusFaults(page: Page, most = 100): Promise<readonly string[]> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    for (const name of ['focusedFirst', 'focusedBefore']) Reflect.deleteProperty(globalThis, name);
  });
  const faults: string[] = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    const { isAround, isHeld, isSeen, text } = await focused(page);
    if (isAround) return faults;
    if (isHeld) return [...faults, `held: ${text}`];
    if (!isSeen) faults.push(`not seen: ${text}`);
  }
  return faults;
}

/** By the element itself: of a long table, other rows stand in the place of those before. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement ?? document.body;
    const [first, before] = ['focusedFirst', 'focusedBefore'].map((name) => Reflect.get(globalThis, name));
    Object.assign(globalThis, { focusedFirst: first ?? one, focusedBefore: one });
    const marks = [one, one.closest('label'), one.parentElement].filter((each) => each !== null);
    return {
      isAround: one === document.body || one === first,
      // A field for a moment has a stop for each of its parts.
      isHeld: one === before && !one.matches('[type="datetime-local"]'),
      isSeen: marks.some((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      }),
      text: one.outerHTML.slice(0, 160),
    };
  });
