/** Buttons, and links that look like them. */
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Icon, type IconName } from './icons.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly variant?: 'primary' | 'danger' | 'quiet' | 'plain';
  readonly size?: 'small' | 'usual';
  readonly icon?: IconName;
  readonly children?: ReactNode;
}

/**
 * A button; while its action runs it keeps the focus and does nothing more. The kit's own way leaves an unnamed picture for screen
 * readers.
 */
export function Button({
  variant = 'plain',
  size = 'usual',
  icon,
  isPending = false,
  children,
  ...props
}: ButtonProps) {
  return (
    <AriaButton
      {...props}
      {...(isPending && { onPress: ignore, type: 'button' })}
      className="button"
      data-variant={variant}
      data-size={size}
      {...(isPending && { 'data-pending': true })}
      {...(children === undefined && { 'data-icon-only': true })}
    >
      {isPending ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

const ignore = () => undefined;

/** A button with an icon, and a name for screen readers. */
export function IconButton({
  label,
  ...props
}: Omit<ButtonProps, 'children' | 'aria-label'> & { readonly label: string; readonly icon: IconName }) {
  return <Button variant="quiet" {...props} aria-label={label} />;
}
