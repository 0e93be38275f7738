/** Fields of forms: a label, what is typed, a sentence below, and what is wrong with it. */
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField, type TextFieldProps } from 'react-aria-components/TextField';
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';
import { Icon } from './icons.tsx';

export interface FieldProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly error?: string | undefined;
  /** A text of several lines. */
  readonly multiline?: boolean;
  readonly mono?: boolean;
  /** Lines in sight, of a text of several. */
  readonly rows?: number;
}

export function Field({
  label,
  description,
  placeholder,
  error,
  multiline,
  mono,
  rows,
  ...props
}: FieldProps) {
  const t = useTexts(kitTexts);
  const given = {
    className: mono ? 'input mono' : 'input',
    ...(placeholder !== undefined && { placeholder }),
  };
  return (
    <TextField {...props} className="field" {...(error !== undefined && invalidProps)}>
      <Label>{label}</Label>
      {multiline ? <TextArea {...given} {...(rows !== undefined && { rows })} /> : <Input {...given} />}
      {description !== undefined && (
        <Text slot="description" className="field-description">
          {description}
        </Text>
      )}
      <FieldError className="field-error">
        {({ validationDetails, validationErrors }) =>
          // A browser would say it in a language of its own.
          error ?? (validationDetails.valueMissing ? t('missing') : validationErrors.join(' '))
        }
      </FieldError>
    </TextField>
  );
}

/** Validation that is only shown: a browser that knew of the error would not let the form be sent again. */
const invalidProps = { isInvalid: true, validationBehavior: 'aria' } as const;

export interface Choice {
  readonly id: string;
  readonly name: string;
}

export interface SelectProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly isDisabled?: boolean;
}

export function Select({ label, choices, value, onChange, isDisabled = false }: SelectProps) {
  return (
    <AriaSelect
      className="field"
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(String(key))}
      isDisabled={isDisabled}
    >
      <Label>{label}</Label>
      <Button className="select-button">
        <SelectValue />
        <Icon name="down" />
      </Button>
      <Popover className="popover">
        <ListBox className="menu" items={choices}>
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className="menu-item">
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, 'className' | 'style' | 'children'> & { readonly children?: ReactNode }) {
  return (
    <AriaCheckbox {...props} className="checkbox">
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className="checkbox-box">{isIndeterminate ? '–' : isSelected && <Icon name="check" />}</span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}
