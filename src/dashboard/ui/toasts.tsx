/** Short messages that disappear by themselves. Screen readers read them out; a message may offer one action. */
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';

/** A message, and an action such as undoing. */
interface Toast {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const SHOWN_MS = 8000;

const ToastContext = createContext<(toast: Toast) => void>(() => {});

/** Returns a function that shows a toast. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext);

/** Makes `useToast` work in its children, and shows at most three toasts for 8 seconds each. */
export const Toasts = ({ children }: { readonly children: ComponentChildren }) => {
  const [shown, setShown] = useState<readonly (Toast & { readonly id: number })[]>([]);
  const show = useCallback((toast: Toast) => {
    const id = performance.now();
    setShown((toasts) => [...toasts.slice(-2), { ...toast, id }]);
    setTimeout(() => setShown((toasts) => toasts.filter((other) => other.id !== id)), SHOWN_MS);
  }, []);
  const end = (id: number) => setShown((toasts) => toasts.filter((other) => other.id !== id));
  return (
    <ToastContext.Provider value={show}>
      {children}
      <div class="toasts" role="status">
        {shown.map(({ id, text, action }) => (
          <p key={id} class="toast">
            {text}
            {action && (
              <button
                type="button"
                onClick={() => {
                  end(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
          </p>
        ))}
      </div>
    </ToastContext.Provider>
  );
};
