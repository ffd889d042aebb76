import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FakeHost } from "../../../host/fake";
import { DraftEditor } from "../draft.svelte";
import { EditForm } from "../edit-form.svelte";
import JoinForm from "./JoinForm.svelte";

test("a long list says how many clips it omits, and the search finds them", async () => {
  const [clip] = await new FakeHost({ pace: 1, query: "?signedIn" }).clips();
  const others = Array.from({ length: 22 }, (_, at) => ({ ...clip!, id: `other.${at}`, name: `Take ${at}` }));
  const props = { clip: clip!, draft: new DraftEditor(clip!.id, 90), form: new EditForm(30), others, fps: 30 };
  render(JoinForm, { ...props, draftOf: async () => null, check: vi.fn() });
  expect(screen.queryByText("Take 21")).toBeNull();
  expect(screen.getByText("2 more clips; search to find them")).toBeTruthy();
  await userEvent.setup().type(screen.getByRole("searchbox", { name: "Next clip" }), "Take 21");
  expect(screen.getByText("Take 21")).toBeTruthy();
  expect(screen.queryByText(/more clips?;/)).toBeNull();
});
