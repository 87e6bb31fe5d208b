import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { foundOptions, indexAfter, MOST_SHOWN, type ComboOption } from './comboChoice.js';
import { Labelled } from './labelled.js';

interface ComboboxProps {
  readonly name: string;
  readonly options: readonly ComboOption[];
  /** Id of the chosen one. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly placeholder: string;
  readonly fault?: string | undefined;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
}

/** What the user does in it: text is typed, a list is open, one of it is active. */
function useCombo({ options, chosen, onChoose }: ComboboxProps) {
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const found = foundOptions(options, typed);
  const shown = found.slice(0, MOST_SHOWN);
  const close = (): void => {
    setOpen(false);
    setTyped(undefined);
    setActive(-1);
  };
  const open = (at = shown.findIndex(({ id }) => id === chosen)): void => {
    setOpen(true);
    setActive(at);
  };
  const choose = (option: ComboOption | undefined): void => {
    close();
    if (option !== undefined) onChoose(option.id);
  };
  const onKey = (event: KeyboardEvent): void => {
    const to = indexAfter(event.key, isOpen ? active : -1, shown.length);
    if (to !== undefined) {
      event.preventDefault();
      open(to);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      choose(shown[active]);
    }
  };
  const type = (text: string): void => {
    setTyped(text);
    setOpen(true);
    setActive(text.trim() === '' ? -1 : 0);
  };
  return { typed, isOpen, active, found, shown, open, close, choose, onKey, type };
}

/**
 * One of many is chosen by name: typed, or taken from the list. Arrows move, Enter chooses, Escape leaves everything as
 * it was.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function Combobox(props: ComboboxProps): JSX.Element {
  const { name, options, chosen, placeholder, fault, isRequired = false, isDisabled = false } = props;
  const combo = useCombo(props);
  const { isOpen, active, shown, found } = combo;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const { current } = list;
    (current?.children[active] ?? current)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);
  const text = combo.typed ?? options.find((option) => option.id === chosen)?.text ?? '';
  return (
    <div class="combo">
      <Labelled name={name} fault={fault}>
        {(tie) => (
          <input
            {...tie}
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck={false}
            aria-expanded={isOpen}
            aria-autocomplete="list"
            aria-controls={isOpen ? id : undefined}
            aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
            value={text}
            placeholder={placeholder}
            required={isRequired}
            disabled={isDisabled}
            onFocus={({ currentTarget }) => {
              currentTarget.select();
            }}
            onClick={() => {
              if (!isOpen) combo.open();
            }}
            onInput={({ currentTarget }) => {
              combo.type(currentTarget.value);
            }}
            onKeyDown={combo.onKey}
            onBlur={combo.close}
          />
        )}
      </Labelled>
      {isOpen ? (
        <div class="combo-list">
          <ul role="listbox" id={id} aria-label={name} ref={list}>
            {shown.map((option, index) => (
              <Option
                key={option.id}
                id={`${id}-${index}`}
                option={option}
                isActive={index === active}
                isChosen={option.id === chosen}
                onChoose={combo.choose}
              />
            ))}
          </ul>
          <p class="quiet" role="status">
            {hitsText(found.length)}
          </p>
        </div>
      ) : null}
    </div>
  );
}

function hitsText(count: number): string {
  if (count === 0) return 'Nothing matches';
  return count > MOST_SHOWN ? `${MOST_SHOWN} of ${count}: type more of the name` : `${count} to choose from`;
}

interface OptionProps {
  readonly id: string;
  readonly option: ComboOption;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (option: ComboOption) => void;
}

const Option = ({ id, option, isActive, isChosen, onChoose }: OptionProps): JSX.Element => (
  <li
    role="option"
    id={id}
    class={isActive ? 'combo-on' : ''}
    aria-selected={isChosen}
    // The input keeps the focus: leaving it closes the list.
    onPointerDown={(event) => {
      event.preventDefault();
    }}
    onClick={() => {
      onChoose(option);
    }}
  >
    <span>{option.text}</span>
    {option.note === undefined ? null : <small>{option.note}</small>}
  </li>
);
