/** Buttons that send no form, and links that look like them. */
import type { JSX } from 'preact';

type ButtonProps = JSX.ButtonHTMLAttributes<HTMLButtonElement>;
type LinkProps = JSX.AnchorHTMLAttributes<HTMLAnchorElement>;

/** A button. */
export const Button = (props: ButtonProps) => <button type="button" {...props} />;
/** The button for what a person most likely wants. */
export const Primary = (props: ButtonProps) => <button type="button" class="primary" {...props} />;
/** A less prominent button. */
export const Quiet = (props: ButtonProps) => <button type="button" class="quiet" {...props} />;
/** A button whose effect somebody may regret. */
export const Danger = (props: ButtonProps) => <button type="button" class="danger" {...props} />;
/** The button that sends its form. */
export const Submit = (props: ButtonProps) => <button type="submit" class="primary" {...props} />;
/** A link that looks like a button. */
export const ButtonLink = (props: LinkProps) => <a class="button" {...props} />;
/** A link that looks like the button for what a person most likely wants. */
export const PrimaryLink = (props: LinkProps) => <a class="button primary" {...props} />;
