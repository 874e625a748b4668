//! The schema of `multi_edit`

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use crate::support::assert_json;

#[test]
fn multi_edit_schema() {
    let tool = MultiEditTool::new(&Workspace::new("."));
    let definition = tool.definition();
    assert_eq!(definition.name, "multi_edit");
    assert_eq!(definition.parameters["required"], json!(["path", "edits"]));
    let edit = json!({ "old_string": "a", "new_string": "b", "replace_all": true });
    let no_all = json!({ "old_string": "a", "new_string": "" });
    let with_path = json!({ "old_string": "a", "new_string": "b", "path": "c" });
    for (rule, edits, is_valid) in [
        ("one edit", json!([edit]), true),
        ("two edits", json!([edit, no_all]), true),
        ("no edit", json!([]), false),
        ("no new_string", json!([{ "old_string": "a" }]), false),
        ("an unknown field", json!([with_path]), false),
        (
            "a number",
            json!([{ "old_string": "a", "new_string": 7 }]),
            false,
        ),
        ("a string", json!("all"), false),
    ] {
        let verdict = validate(definition, &json!({ "path": "a.txt", "edits": edits }));
        assert_eq!(
            verdict == ValidationResult::Ok,
            is_valid,
            "{rule}: the schema of `edits` decides; it says {verdict:?}"
        );
    }
    let single = EditTool::new(&Workspace::new("."));
    for name in ["old_string", "new_string", "replace_all"] {
        let items = &definition.parameters["properties"]["edits"]["items"];
        assert_json(
            &format!("`{name}` of each edit is a parameter of the tool `edit`"),
            &items["properties"][name],
            &single.definition().parameters["properties"][name],
        );
    }
}
