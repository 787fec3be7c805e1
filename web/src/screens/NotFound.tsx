import { Brand } from "../ui/controls";

export function NotFound() {
  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap narrow stack">
        <h1>There is nothing here</h1>
        <p class="quiet">The address may be mistyped, or the page has moved.</p>
        <p>
          <a class="button main" href="/">
            To the tables
          </a>
        </p>
      </main>
    </div>
  );
}
