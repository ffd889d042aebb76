// For tests: how long they wait for something to appear before they say that it does not.
import { configure } from "@testing-library/svelte";

configure({ asyncUtilTimeout: 20_000 });
