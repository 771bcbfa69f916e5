"""The calendar of a DR test: what cluster repositories hold, day by day, and what follows.

Pure: members and a scenario in, a calendar out (`mqlint.rehearsal.simulation.simulate`). Nothing is
executed. Each event of the calendar names its source (`sources`). What no source decides is a
question with two answers, and both are simulated (`outcomes`).
"""
