import { fireEvent, screen, waitFor, within, type BoundFunctions, type queries } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { t } from '../../helpers/words.ts';

type Name = string | RegExp;
export type Within = BoundFunctions<typeof queries> & { element: HTMLElement };

export interface Finders {
  button: (name: Name) => Promise<HTMLElement>;
  /** A part of the screen, by its role and name. */
  region: (name: Name, role?: string) => Promise<Within>;
  /** Waits until a part of the screen says something. */
  regionSays: (name: Name, text: string | RegExp) => Promise<void>;
  press: (name: Name) => Promise<void>;
  /** Opens a part of the result that is folded. */
  unfold: (name: string) => Promise<Within>;
  /** Writes a text in place of what is in a field, at once. */
  fill: (field: HTMLElement, text: string) => Promise<void>;
  choose: (role: 'radio' | 'checkbox', name: Name) => Promise<void>;
  /** Drops a file onto the window; without a path it is none of this machine. */
  drop: (name: string, text: string, path?: string) => Promise<void>;
  /** Starts the plan that is shown and waits for its result, whose numbers it opens. */
  runToResult: () => Promise<Within>;
}

/** Queries of one element. */
export function inside(element: HTMLElement): Within {
  return { ...within(element), element };
}

/** Waits until an element says something. */
export async function says(element: HTMLElement, text: string | RegExp): Promise<void> {
  await waitFor(() => expect(element).toHaveTextContent(text));
}

export function findersFor(user: UserEvent): Finders {
  const button = (name: Name): Promise<HTMLElement> => screen.findByRole('button', { name });
  const region = async (name: Name, role = 'region'): Promise<Within> =>
    inside(await screen.findByRole(role, { name }));
  /** People click an element once it can be used. */
  const clickUsable = async (role: string, name: Name): Promise<void> =>
    user.click(
      await waitFor(() => {
        const found = screen.getByRole(role, { name });
        if (found.matches(':disabled')) throw new Error(`${String(name)} can't be used yet`);
        return found;
      }),
    );
  const press = (name: Name): Promise<void> => clickUsable('button', name);
  const unfold = async (name: string): Promise<Within> => {
    const fold = await region(name);
    await user.click(fold.getByText(name, { selector: 'summary' }));
    await waitFor(() => expect(fold.element.querySelector('.content')).not.toBeNull());
    return fold;
  };
  return {
    button,
    region,
    press,
    unfold,
    regionSays: (name, text) =>
      waitFor(() => {
        expect(screen.getByRole('region', { name })).toHaveTextContent(text);
      }),
    fill: async (field, text) => {
      await user.click(field);
      fireEvent.input(field, { target: { value: text } });
      fireEvent.change(field);
    },
    choose: clickUsable,
    drop: async (name, text, path = '') => {
      // jsdom's files can't be read by their promise.
      const file = Object.assign(new File([text], name), { text: () => Promise.resolve(text), path });
      const dataTransfer = {
        files: [file],
        items: [{ kind: 'file', getAsFile: () => file, webkitGetAsEntry: () => null }],
        types: ['Files'],
      };
      fireEvent.drop(document.body, { dataTransfer });
      await Promise.resolve();
    },
    runToResult: async () => {
      await press(t('plan.start'));
      return unfold(t('result.numbers'));
    },
  };
}
